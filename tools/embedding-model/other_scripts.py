"""Teach a finished model Cyrillic, Hangul, Chinese and Japanese: rows for their pieces, so that a text's vector is that
of its English translation.

python other_scripts.py --start MODEL --pairs translated_pairs.jsonl.xz --out MODEL [--id causantic-static-v4]

The rows and ids that the model has stay as they are, and so does every vector of an English text.
"""

import argparse
import json
import re
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer, models, trainers
from torch.nn import functional

from evaluation_sets import read_lines
from static_model import SPECIAL_TOKENS, StaticModel, export_tokenizer, exported_definition
from translated_pairs import IN_LATIN_LETTERS
from training import Bags, ContrastSettings, TokenLists, batches, optimise

# The ranges of wordpiece-tokenizer.ts, with the number of pieces and the most letters of each. Hangul is in letters, not
# in syllables: taking off accents (NFD) takes syllables apart. Those from 3130 on, three of which got a row, are left out there.
SCRIPTS = {
    "cjk": ("\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff", 11_000, 5),
    "hangul": ("\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3", 4_000, 18),
    "cyrillic": ("\u0400-\u052f", 5_000, 12),
}
RUN = re.compile("|".join(f"(?P<{name}>[{letters}]+)" for name, (letters, _, _) in SCRIPTS.items()))
LEAST_COUNT = 3
MOST_REPEATS = 2000
HELD_OUT = "react"  # the source that serves for evaluation alone
MAX_TOKENS = 256
SETTINGS = ContrastSettings(epochs=3, rate=0.02, taught_weight=2.0)
LATIN_SHARE = 0.4
SAME_TEXT = 0.98


def normalised(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(letter) != "Mn")


def vocabulary(texts: list[str]) -> list[str]:
    """The pieces of each script, by byte pair encoding, in the order of their code points."""
    pieces: set[str] = set()
    runs: dict[str, Counter[str]] = {name: Counter() for name in SCRIPTS}
    for text in texts:
        for run in RUN.finditer(text):
            runs[run.lastgroup][run[0]] += 1
    for name, counts in runs.items():
        _, size, longest = SCRIPTS[name]
        letters = Counter[str]()
        for run, count in counts.items():
            letters.update(dict.fromkeys(run, count))
        tokenizer = Tokenizer(models.BPE())
        trainer = trainers.BpeTrainer(vocab_size=size, min_frequency=LEAST_COUNT, max_token_length=longest, show_progress=False)
        repeated = (run for run, count in sorted(counts.items()) for _ in range(min(count, MOST_REPEATS)))
        tokenizer.train_from_iterator(repeated, trainer)
        pieces.update(piece for piece in tokenizer.get_vocab() if len(piece) > 1 or letters[piece] >= LEAST_COUNT)
    return sorted(pieces)


class Pieces:
    """Cuts runs of the scripts into the longest known pieces from the left, as wordpiece-tokenizer.ts does."""

    def __init__(self, ids: dict[str, int]):
        self.ids = ids
        self.longest = max(map(len, ids))
        self.known: dict[str, list[int]] = {}

    def of(self, text: str) -> list[int]:
        return [piece for run in RUN.finditer(text) for piece in self.of_run(run[0])]

    def rest(self, text: str) -> str:
        return RUN.sub(" ", text)

    def of_run(self, run: str) -> list[int]:
        if run not in self.known:
            found, start = [], 0
            while start < len(run):
                ends = range(min(len(run), start + self.longest), start, -1)
                end = next((end for end in ends if run[start:end] in self.ids), None)
                if end:
                    found.append(self.ids[run[start:end]])
                start = end or start + 1
            self.known[run] = found
        return self.known[run]


def token_lists(lists: list[list[int]]) -> TokenLists:
    starts = np.concatenate([[0], np.cumsum([len(ids) for ids in lists])]).astype(np.int64)
    return TokenLists(np.array([token for ids in lists for token in ids], np.int32), starts)


class Translations:
    """The pairs as tokens: the new pieces (or words) and the other tokens of each translation, and the vector of the
    English text.
    """

    def __init__(self, model: StaticModel, rows: list[dict], texts: list[str], pieces):
        self.rows = torch.from_numpy(model.table)
        self.first_new = len(model.table)
        latin = [
            [token for token in ids if token >= len(SPECIAL_TOKENS)]
            for ids in model.token_ids([pieces.rest(text) for text in texts], MAX_TOKENS)
        ]
        new = [[token - self.first_new for token in pieces.of(text)[:MAX_TOKENS]] for text in texts]
        self.latin, self.new = token_lists(latin), token_lists(new)
        self.english = torch.from_numpy(model.encode([row["en"] for row in rows], MAX_TOKENS).astype(np.float32))
        self.languages = np.array([row["lang"] for row in rows])
        self.sources = np.array([row["source"] for row in rows])
        self.counts = np.array([len(ids) for ids in new])
        self.english_characters = np.array([len(row["en"]) for row in rows])
        self.usable = (self.counts > 0) & (self.english.norm(dim=1).numpy() > 0)

    def embed(self, new_rows: torch.Tensor, batch: np.ndarray, with_latin: np.ndarray) -> torch.Tensor:
        """`with_latin` [batch] says for which texts the Latin tokens count too."""
        ids, places = self.latin.batch(batch)
        kept = with_latin[places]
        sums = summed(new_rows, *self.new.batch(batch), len(batch)) + summed(self.rows, ids[kept], places[kept], len(batch))
        return functional.normalize(sums, dim=1)


def summed(table: torch.Tensor, ids: np.ndarray, places: np.ndarray, count: int) -> torch.Tensor:
    bags = Bags.of(ids, places, count)
    return functional.embedding_bag(bags.ids, table, bags.begins, mode="sum", per_sample_weights=bags.weights)


def train(translations: Translations, count: int) -> torch.Tensor:
    """InfoNCE in both directions against the English vectors, which stay as they are, and 1 − cosine. Half of the pairs
    stand among those of their language and source, which are harder to tell apart.

    Latin words of a translation are mostly those of the English text, and would be all that is learnt: they count for
    some of the texts only.
    """
    random = np.random.default_rng(1)
    torch.manual_seed(1)
    rows = torch.nn.Embedding(count, translations.rows.shape[1])
    torch.nn.init.normal_(rows.weight, std=0.02)
    trained = np.flatnonzero(translations.usable & (translations.sources != HELD_OUT))
    groups = np.char.add(np.char.add(translations.languages, " "), translations.sources)[trained]
    order = [trained[batch] for _ in range(SETTINGS.epochs) for batch in batches(groups, SETTINGS, random)]

    def loss_of_step(step: int) -> torch.Tensor:
        batch = order[step]
        texts = translations.embed(rows.weight, batch, random.random(len(batch)) < LATIN_SHARE)
        english = translations.english[batch]
        same = torch.arange(len(batch))
        repeated = (english @ english.T > SAME_TEXT) & ~torch.eye(len(batch), dtype=torch.bool)
        scores = (texts @ english.T / SETTINGS.temperature).masked_fill(repeated, -1e4)
        pairing = (functional.cross_entropy(scores, same) + functional.cross_entropy(scores.T, same)) / 2
        return pairing + SETTINGS.taught_weight * (1 - (texts * english).sum(1).mean())

    optimise(rows, len(order), SETTINGS.rate, loss_of_step)
    return rows.weight.detach()


def evaluate(translations: Translations, rows: torch.Tensor) -> None:
    """How often the English text of a held-out paragraph is nearest of 1,500 at most, by its pieces alone and in all."""
    held = translations.usable & (translations.sources == HELD_OUT)
    long = held & (translations.counts >= 8) & (translations.english_characters >= 40)
    for language in np.unique(translations.languages[long]):
        pairs = np.random.default_rng(5).permutation(np.flatnonzero(long & (translations.languages == language)))[:1500]
        line = [f"{language} ({len(pairs)})"]
        for with_latin in (False, True):
            texts = translations.embed(rows, pairs, np.full(len(pairs), with_latin))
            scores = texts @ translations.english[pairs].T
            ranks = (scores > scores.diag()[:, None]).sum(1)
            line.append(f"R@1 {(ranks == 0).float().mean():.3f} R@10 {(ranks < 10).float().mean():.3f} cosine {scores.diag().mean():.2f}")
        print("; ".join(line), flush=True)


def export(start: Path, out: Path, ids: dict[str, int], rows: np.ndarray, settings: dict) -> None:
    """The model of `start` with the new rows, in its scale of each dimension."""
    graph = onnx.load(start / "model.onnx")
    constants = {value.name: value for value in graph.graph.initializer}
    old, scale = (numpy_helper.to_array(constants[name]) for name in ("rows", "scale"))
    new = np.clip(np.rint(rows / scale), -127, 127).astype(np.int8)
    constants["rows"].CopyFrom(numpy_helper.from_array(np.concatenate([old, new]), "rows"))
    out.mkdir(parents=True, exist_ok=True)
    onnx.save(graph, out / "model.onnx")
    tokenizer = exported_definition(start)
    tokenizer["model"]["vocab"].update(ids)
    export_tokenizer(tokenizer, out)
    settings = {**json.loads((start / "model.json").read_text()), **settings}
    (out / "model.json").write_text(json.dumps(settings, indent=2) + "\n")


def command_line(description: str, model_id: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--id", default=model_id)
    return parser.parse_args()


def taught_rows(model: StaticModel, rows: list[dict], texts: list[str], pieces) -> np.ndarray:
    """The row of each piece (or word), in the order of their ids."""
    print(len(rows), "pairs,", len(pieces.ids), "rows", flush=True)
    translations = Translations(model, rows, texts, pieces)
    new_rows = train(translations, len(pieces.ids))
    evaluate(translations, new_rows)
    return new_rows.numpy()


def main() -> None:
    arguments = command_line(__doc__, "causantic-static-v4")
    model = StaticModel.exported(arguments.start)
    rows = [row for row in read_lines(arguments.pairs) if row["lang"] not in IN_LATIN_LETTERS]
    texts = [normalised(row["text"]) for row in rows]
    pieces = vocabulary([text for row, text in zip(rows, texts) if row["source"] != HELD_OUT])
    ids = {piece: len(model.table) + index for index, piece in enumerate(pieces)}
    new_rows = taught_rows(model, rows, texts, Pieces(ids))
    # Training leaves the length of all new rows open; beside English words they count as much as these do.
    length = np.linalg.norm(model.table, axis=1).mean() / np.linalg.norm(new_rows, axis=1).mean()
    settings = {"id": arguments.id, "otherScripts": "unprefixed"}
    export(arguments.start, arguments.out, ids, length * new_rows, settings)


if __name__ == "__main__":
    main()
