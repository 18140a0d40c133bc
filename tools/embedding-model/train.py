"""Make the built-in model: distil, regress, contrast, blend, export.

python train.py --pairs text_pairs.jsonl.xz repo_pairs.jsonl.xz --work DIR --out DIR

Each stage leaves tokenizer.json and table.npy in a folder of --work and is not repeated when they are there;
the teacher's vectors are kept in parts, so that a broken run goes on where it stopped. Seeds are fixed.
"""

import argparse
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from distil import distilled_table, frequent_split_words, principal_axes, token_probabilities, token_text
from evaluation_sets import is_held_out, read_lines
from pairs import language_of, token_pairs
from static_model import StaticModel, build_tokenizer, export, kept_teacher_tokens
from teacher import QuantisedTeacher, default_teacher_folder
from training import ContrastSettings, RegressionSettings, Taught, contrast, regress

MODEL_ID = "causantic-static-v2"
REGRESSION_TEXTS = {"a": 131072, "b": 98304}  # the quantised teacher reads 100 texts of 120 tokens a second on one core
CODE_TEXTS = 20480  # Python functions, and as many of their comments
CODE_TEXT_CHARACTERS = 600


@dataclass
class Run:
    """One contrastive run; `share` of what it changed goes into the model."""

    name: str
    share: float
    settings: ContrastSettings


# More of what a run changed helps questions about code and costs those about conversations; two runs do better than one.
RUNS = [
    Run("balanced", 0.25, ContrastSettings()),
    Run(
        "code",
        0.25,
        ContrastSettings(epochs=3, rate=0.005, commit_share=0.35, moved_share=0.4, frame_share=0.5),
    ),
]


def stage(folder: Path, make: Callable[[], StaticModel]) -> StaticModel:
    if not (folder / "table.npy").exists():
        print("stage", folder.name, flush=True)
        make().save(folder)
    return StaticModel.load(folder)


class Recipe:
    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.work: Path = arguments.work
        self.teacher = QuantisedTeacher(arguments.teacher or default_teacher_folder(), arguments.work, arguments.threads)
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

    def regression_texts(self) -> list[str]:
        order = random.Random(1)
        texts = []
        for side, most in REGRESSION_TEXTS.items():
            of_side = [row[side] for row in self.rows]
            order.shuffle(of_side)
            texts += of_side[:most]
        order.shuffle(texts)
        return texts

    def code_texts(self) -> list[str]:
        code = [row for row in self.rows if row["kind"] == "code" and language_of(row["b"]) == "python"]
        random.Random(2).shuffle(code)
        return [text for row in code[:CODE_TEXTS] for text in (row["b"][:CODE_TEXT_CHARACTERS], row["a"])]

    def taught(self, model: StaticModel) -> Taught:
        most_tokens = RegressionSettings().max_tokens
        texts = self.regression_texts() + self.code_texts()
        sentences = self.teacher.encode_cached(texts, self.work / "teacher-texts", most_tokens)
        tokens = [model.tokenizer.id_to_token(index) for index in range(len(model.table))]
        axes = principal_axes(self.token_vectors(tokens), self.arguments.dim)
        return Taught.of(model, texts, (sentences - sentences.mean(0)) @ axes, most_tokens)

    def regress(self, model: StaticModel) -> StaticModel:
        return regress(model, self.taught(model), RegressionSettings())

    def contrast(self, model: StaticModel, run: Run) -> StaticModel:
        chance = random.Random(5)
        rows = [row for row in self.rows if row["kind"] != "commit" or chance.random() < run.settings.commit_share]
        pairs = token_pairs(model, rows, run.settings.max_tokens)
        return contrast(model, pairs, self.taught(model), run.settings)


def blend(start: StaticModel, ends: list[tuple[float, StaticModel]]) -> StaticModel:
    """The start and a share of what each run changed: what the pairs taught without what they made it forget."""
    scaled = start.table / np.linalg.norm(start.table, axis=1).mean()  # as every contrastive run began
    changes = sum(share * (end.table - scaled) for share, end in ends)
    return StaticModel(start.tokenizer, (scaled + changes).astype(np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, nargs="+", required=True, help="JSON lines {a, b, kind, repo}, plain or .xz")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, help="folder with model.safetensors; default: the PyPI package")
    parser.add_argument("--dim", type=int, default=256)
    parser.add_argument("--words", type=int, default=12000, help="frequent words added to the vocabulary")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    recipe = Recipe(arguments)
    work = arguments.work
    distilled = stage(work / "distilled", recipe.distil)
    regressed = stage(work / "regressed", lambda: recipe.regress(distilled))
    ends = [(run.share, stage(work / f"contrasted-{run.name}", lambda run=run: recipe.contrast(regressed, run))) for run in RUNS]
    export(blend(regressed, ends), arguments.out, MODEL_ID)


if __name__ == "__main__":
    main()
