"""Make the built-in model: distil, regress, contrast, blend, export.

python train.py --pairs text_pairs.jsonl.xz repo_pairs.jsonl.xz --work DIR --out DIR

Each stage leaves tokenizer.json and table.npy in a folder of --work and is not repeated when they are there;
the teacher's vectors are kept in parts, so that a broken run goes on where it stopped. Seeds are fixed.
"""

import argparse
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from distil import distilled_table, frequent_split_words, principal_axes, token_probabilities, token_text
from evaluation_sets import is_held_out, read_lines
from pairs import token_pairs
from static_model import StaticModel, build_tokenizer, export, kept_teacher_tokens
from teacher import Teacher, default_teacher_folder
from training import ContrastSettings, RegressionSettings, contrast, regress

MODEL_ID = "causantic-static-v1"


def stage(folder: Path, make: Callable[[], StaticModel]) -> StaticModel:
    if not (folder / "table.npy").exists():
        print("stage", folder.name, flush=True)
        make().save(folder)
    return StaticModel.load(folder)


class Recipe:
    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.work: Path = arguments.work
        self.teacher = Teacher(arguments.teacher or default_teacher_folder(), bfloat16=True)
        rows = [row for path in arguments.pairs for row in read_lines(path)]
        self.rows = [row for row in rows if not is_held_out(row["repo"])]
        print(f"{len(self.rows)} of {len(rows)} pairs are for training", flush=True)

    def texts(self) -> list[str]:
        return [row[side] for row in self.rows for side in "ab"]

    def token_vectors(self, tokens: list[str]) -> np.ndarray:
        return self.teacher.encode_cached([token_text(token) for token in tokens], self.work / "teacher-tokens")

    def distil(self) -> StaticModel:
        path = self.teacher.folder / "tokenizer.json"
        vocabulary = Tokenizer.from_file(str(path)).get_vocab()
        texts = self.texts()
        tokens = kept_teacher_tokens(vocabulary) + frequent_split_words(vocabulary, texts, self.arguments.words)
        tokenizer = build_tokenizer(path, tokens)
        probabilities = token_probabilities(tokenizer, texts[::4] + texts[1::4], len(tokens))
        vectors = self.token_vectors(tokens)
        axes = principal_axes(vectors, self.arguments.dim)
        return StaticModel(tokenizer, distilled_table(vectors, tokens, probabilities, axes))

    def regress(self, model: StaticModel) -> StaticModel:
        texts = self.texts()
        random.Random(1).shuffle(texts)
        settings = RegressionSettings()
        texts = texts[: self.arguments.regression_texts]
        sentences = self.teacher.encode_cached(texts, self.work / "teacher-texts", settings.max_tokens)
        tokens = [model.tokenizer.id_to_token(index) for index in range(len(model.table))]
        axes = principal_axes(self.token_vectors(tokens), self.arguments.dim)
        return regress(model, texts, (sentences - sentences.mean(0)) @ axes, settings)

    def contrast(self, model: StaticModel) -> StaticModel:
        settings = ContrastSettings()
        return contrast(model, token_pairs(model, self.rows, settings.max_tokens), settings)


def blend(start: StaticModel, end: StaticModel, share: float) -> StaticModel:
    """Between the two tables: most of what the pairs taught, most of the everyday language they made it forget."""
    scaled = start.table / np.linalg.norm(start.table, axis=1).mean()  # as the contrastive stage began
    return StaticModel(end.tokenizer, (scaled + share * (end.table - scaled)).astype(np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, nargs="+", required=True, help="JSON lines {a, b, kind, repo}, plain or .xz")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, help="folder with model.safetensors; default: the PyPI package")
    parser.add_argument("--dim", type=int, default=256)
    parser.add_argument("--words", type=int, default=6000, help="frequent words added to the vocabulary")
    parser.add_argument("--regression-texts", type=int, default=32768)
    parser.add_argument("--blend", type=float, default=0.7, help="share of the contrastive stage in the result")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    recipe = Recipe(arguments)
    work = arguments.work
    distilled = stage(work / "distilled", recipe.distil)
    regressed = stage(work / "regressed", lambda: recipe.regress(distilled))
    contrasted = stage(work / "contrasted", lambda: recipe.contrast(regressed))
    export(blend(regressed, contrasted, arguments.blend), arguments.out, MODEL_ID)


if __name__ == "__main__":
    main()
