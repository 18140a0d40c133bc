"""Pairs as the contrastive stage wants them: token bags, groups, and the words around a question about code."""

import re

import numpy as np

from static_model import StaticModel
from training import Pairs, TokenLists

# First pattern that matches the code names its language; a doc comment alone does not say it, a question often does.
LANGUAGES = [
    ("python", re.compile(r"^(@.*\n)*\s*(async )?def \w+\(.*?:", re.DOTALL)),
    ("go", re.compile(r"^(func|type) [^;]*$|:=", re.DOTALL)),
    ("rust", re.compile(r"\b(pub|fn|impl|let mut)\b")),
    ("php", re.compile(r"\$this->|\$\w+ =|function \w+\(\$|<\?php")),
    ("javascript", re.compile(r"\b(function|const|export|=>)\b")),
    ("java", re.compile(r"\b(public|private|protected) .*[;{]")),
]
FRAMES = ["{0}", "in {0}", "how to in {0}", "{0} how to", "how to", "how do i", "{0} function to"]


def language_of(code: str) -> str | None:
    return next((name for name, pattern in LANGUAGES if pattern.search(code)), None)


def token_pairs(model: StaticModel, rows: list[dict], max_tokens: int) -> Pairs:
    names = [name for name, _ in LANGUAGES]
    frames = [frame.format(name) for name in names for frame in FRAMES]
    of_language = {name: np.arange(len(FRAMES)) + index * len(FRAMES) for index, name in enumerate(names)}
    of_language[None] = np.array([], np.int64)
    languages = [language_of(row["b"]) if row["kind"] == "code" else None for row in rows]
    return Pairs(
        left=TokenLists.of(model, [row["a"] for row in rows], max_tokens),
        right=TokenLists.of(model, [row["b"] for row in rows], max_tokens),
        groups=np.unique([f"{row['repo']} {row['kind']}" for row in rows], return_inverse=True)[1],
        is_code=np.array([row["kind"] == "code" for row in rows]),
        frames=TokenLists.of(model, frames, max_tokens),
        frames_of_pair=[of_language[language] for language in languages],
    )
