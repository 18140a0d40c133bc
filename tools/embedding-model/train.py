"""Make the built-in model: distil, regress, contrast, export. Finished stages are kept in --work and not repeated.

python train.py --pairs text_pairs.jsonl.xz repo_pairs.jsonl.xz --work DIR --out DIR
"""

import argparse
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from distil import distilled_table, frequent_split_words, principal_axes, token_probabilities
from evaluation_sets import is_held_out, read_lines
from static_model import StaticModel, build_tokenizer, export, kept_teacher_tokens
from teacher import Teacher, default_teacher_folder
from training import ContrastSettings, RegressionSettings, contrast, regress

MODEL_ID = "causantic-static-v1"
REGRESSION_TEXT_TOKENS = 128
# Of each kind and side, so that code does not drown prose; the teacher reads about 70 of them a second on one core.
REGRESSION_TEXTS = {"a": {"text": 14000, "code": 14000, "commit": 6000}, "b": {"text": 16000, "code": 10000, "commit": 4000, "heading": 4000}}


def training_rows(paths: list[Path]) -> list[dict]:
    return [row for path in paths for row in read_lines(path) if not is_held_out(row["repo"])]


def regression_texts(rows: list[dict], most: int) -> list[str]:
    order = random.Random(1)
    texts = [row[side] for row in rows for side in "ab"]
    order.shuffle(texts)
    return texts[:most]


def stage(folder: Path, make: Callable[[], StaticModel]) -> StaticModel:
    if not (folder / "table.npy").exists():
        print("stage", folder.name, flush=True)
        make().save(folder)
    return StaticModel.load(folder)


def distil(rows: list[dict], teacher: Teacher, arguments: argparse.Namespace) -> StaticModel:
    path = teacher.folder / "tokenizer.json"
    texts = [row[side] for row in rows for side in "ab"]
    vocabulary = Tokenizer.from_file(str(path)).get_vocab()
    tokens = kept_teacher_tokens(vocabulary) + frequent_split_words(vocabulary, texts, arguments.words)
    tokenizer = build_tokenizer(path, tokens)
    probabilities = token_probabilities(tokenizer, texts[::4] + texts[1::4], len(tokens))
    cache = arguments.work / "teacher-tokens"
    return StaticModel(tokenizer, distilled_table(teacher, tokens, probabilities, arguments.dim, cache))
