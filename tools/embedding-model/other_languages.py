"""Teach a finished model Spanish, Portuguese, French and German: rows for whole words that English does not have, so that a
text's vector is that of its English translation.

python other_languages.py --start MODEL --pairs translated_pairs.jsonl.xz --out MODEL [--id causantic-static-v5]

Rows and ids of the model stay as they are. Words of which it has a row (die, son, plus) keep it: their meaning depends on
the language of the text, which a tokenizer does not know.
"""

import re
from collections import Counter

from evaluation_sets import read_lines
from other_scripts import HELD_OUT, command_line, export, normalised, taught_rows
from static_model import StaticModel
from translated_pairs import IN_LATIN_LETTERS

WORD = re.compile(r"[^\W_]+")
WORDS = 12_000
LEAST_TEXTS = 5
# A word is left out that English texts have, too: from this rate on, or if it is not this many times as frequent in one of
# the languages.
MOST_IN_ENGLISH = 1e-6
LEAST_RATIO = 20
# In tokenizer.json; no piece of WordPiece ends so, so that such words match as a whole only.
WORD_END = "</w>"


def vocabulary(rows: list[dict], texts: list[str], known: dict[str, int]) -> list[str]:
    """The most frequent words of any of the languages that the model has no row of, in alphabetical order."""
    english = Counter[str]()
    for text in {row["en"] for row in rows}:
        english.update(WORD.findall(normalised(text)))
    counts = {language: Counter[str]() for language in IN_LATIN_LETTERS}
    for row, text in zip(rows, texts):
        counts[row["lang"]].update(set(WORD.findall(text)))
    best: dict[str, float] = {}
    for of_language in counts.values():
        for word, count in of_language.items():
            in_english = (english[word] + 0.5) / english.total()
            rate = count / of_language.total()
            is_word = len(word) > 1 and word.isalpha() and count >= LEAST_TEXTS
            if is_word and word not in known and in_english <= MOST_IN_ENGLISH and rate >= LEAST_RATIO * in_english:
                best[word] = max(best.get(word, 0), rate)
    return sorted(sorted(best, key=lambda word: (-best[word], word))[:WORDS])


class Words:
    """Cuts a text into words, as wordpiece-tokenizer.ts does."""

    def __init__(self, ids: dict[str, int]):
        self.ids = ids

    def of(self, text: str) -> list[int]:
        return [self.ids[word] for word in WORD.findall(text) if word in self.ids]

    def rest(self, text: str) -> str:
        return WORD.sub(lambda found: " " if found[0] in self.ids else found[0], text)


def main() -> None:
    arguments = command_line(__doc__, "causantic-static-v5")
    model = StaticModel.exported(arguments.start)
    rows = [row for row in read_lines(arguments.pairs) if row["lang"] in IN_LATIN_LETTERS]
    texts = [normalised(row["text"]) for row in rows]
    trained = [(row, text) for row, text in zip(rows, texts) if row["source"] != HELD_OUT]
    words = vocabulary([row for row, _ in trained], [text for _, text in trained], model.tokenizer.get_vocab())
    ids = {word: len(model.table) + index for index, word in enumerate(words)}
    new_rows = taught_rows(model, rows, texts, Words(ids))
    whole_words = {word + WORD_END: id for word, id in ids.items()}
    export(arguments.start, arguments.out, whole_words, new_rows, {"id": arguments.id})


if __name__ == "__main__":
    main()
