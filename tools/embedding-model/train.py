"""Make the built-in model: distil, regress, contrast, blend, export; or go on from a model that is there.

python train.py --pairs text_pairs.jsonl.xz repo_pairs.jsonl.xz --work DIR --out DIR
python train.py --start MODEL --pairs … --functions more_python.jsonl.xz --work DIR --out DIR

With --start, distil and regress are left out: the table is that of MODEL, and CONTINUED says what is trained.

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

MODEL_ID = "causantic-static-v3"
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

# From version 2 to version 3. Regressing once more gives conversations back what the contrastive run takes from them.
CONTINUED = [
    Run(
        "functions",
        0.4,
        ContrastSettings(epochs=3, rate=0.005, commit_share=0.35, general_share=0.15, frame_share=0.5, copied_share=0.4),
    ),
]
REGRESSED_SHARE = 0.2
REGRESSED_EPOCHS = 2
# One of 16 parts of what holds them: any number of parts is a fair mix.
TAUGHT_PARTS = 16
TAUGHT_PART = {"a": 2400, "b": 2400, "code": 1696}


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
        more = [row for path in arguments.functions for row in read_lines(path)]
        self.rows += [row for row in more if not is_held_out(row["repo"]) and language_of(row["b"]) == "python"]
        print(f"{len(self.rows)} of {len(rows) + len(more)} pairs are for training", flush=True)

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

    def continued_texts(self) -> list[str]:
        of_side = {side: [row[side] for row in self.rows if row["kind"] != "code"] for side in "ab"}
        code = [row for row in self.rows if row["kind"] == "code" and language_of(row["b"]) == "python"]
        order = random.Random(1)
        for texts in (*of_side.values(), code):
            order.shuffle(texts)
        parts = []
        for part in range(TAUGHT_PARTS):
            for side, texts in of_side.items():
                parts += texts[part * TAUGHT_PART[side] : (part + 1) * TAUGHT_PART[side]]
            functions = code[part * TAUGHT_PART["code"] : (part + 1) * TAUGHT_PART["code"]]
            parts += [text for row in functions for text in (row["b"][:CODE_TEXT_CHARACTERS], row["a"])]
        return parts

    def taught_in_axes_of(self, model: StaticModel) -> Taught:
        """The teacher's vectors turned so that they lie as near as they can to those of the model itself."""
        most_tokens = RegressionSettings().max_tokens
        texts = self.continued_texts()
        sentences = self.teacher.encode_cached(texts, self.work / "teacher-texts", most_tokens)
        sentences -= sentences.mean(0)
        left, _, right = np.linalg.svd(sentences.T @ model.encode(texts, most_tokens), full_matrices=False)
        return Taught.of(model, texts, sentences @ (left @ right), most_tokens)

    def taught(self, model: StaticModel) -> Taught:
        if self.arguments.start:
            return self.taught_in_axes_of(model)
        most_tokens = RegressionSettings().max_tokens
        texts = self.regression_texts() + self.code_texts()
        sentences = self.teacher.encode_cached(texts, self.work / "teacher-texts", most_tokens)
        tokens = [model.tokenizer.id_to_token(index) for index in range(len(model.table))]
        axes = principal_axes(self.token_vectors(tokens), self.arguments.dim)
        return Taught.of(model, texts, (sentences - sentences.mean(0)) @ axes, most_tokens)

    def regress(self, model: StaticModel, epochs: int = 3) -> StaticModel:
        return regress(model, self.taught(model), RegressionSettings(epochs=epochs))

    def contrast(self, model: StaticModel, run: Run) -> StaticModel:
        chance = random.Random(5)
        general = run.settings.general_share
        shares = {"commit": run.settings.commit_share, "definition": general, "intent": general}
        rows = [row for row in self.rows if row["kind"] not in shares or chance.random() < shares[row["kind"]]]
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
    parser.add_argument("--functions", type=Path, nargs="*", default=[], help="pairs of which only Python functions are taken")
    parser.add_argument("--start", type=Path, help="folder with model.onnx to go on from")
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
    if arguments.start:
        start, runs = StaticModel.exported(arguments.start), CONTINUED
    else:
        distilled = stage(work / "distilled", recipe.distil)
        start, runs = stage(work / "regressed", lambda: recipe.regress(distilled)), RUNS
    ends = [(run.share, stage(work / f"contrasted-{run.name}", lambda run=run: recipe.contrast(start, run))) for run in runs]
    if arguments.start:
        again = stage(work / "regressed-again", lambda: recipe.regress(start, epochs=REGRESSED_EPOCHS))
        ends.append((REGRESSED_SHARE, again))
    export(blend(start, ends), arguments.out, MODEL_ID)


if __name__ == "__main__":
    main()
