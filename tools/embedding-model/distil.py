"""First stage: every token through the teacher, PCA, frequency weights (Model2Vec's recipe)."""

import re
from collections import Counter

import numpy as np
from tokenizers import Tokenizer

from static_model import SPECIAL_TOKENS

SIF_A = 1e-3  # Arora et al. 2017, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings"


def token_probabilities(tokenizer: Tokenizer, texts: list[str], tokens: int) -> np.ndarray:
    """Smoothed unigram probabilities: half a count for a token that was never seen."""
    tokenizer.no_truncation()
    counts = np.full(tokens, 0.5)
    for start in range(0, len(texts), 4096):
        batch = tokenizer.encode_batch(texts[start : start + 4096], add_special_tokens=False)
        for token, count in Counter(index for encoding in batch for index in encoding.ids).items():
            counts[token] += count
    return counts / counts.sum()


def frequent_split_words(known: dict[str, int], texts: list[str], most: int) -> list[str]:
    """Whole words the teacher's vocabulary cuts in pieces, most frequent first: json, async, config, boolean…"""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(re.findall(r"[a-z]+", text.lower()))
    return [word for word, _ in counts.most_common(10 * most) if 3 <= len(word) <= 20 and word not in known][:most]


def token_text(token: str) -> str:
    return token.removeprefix("##")


def principal_axes(vectors: np.ndarray, dim: int) -> np.ndarray:
    """[width, dim]: the directions of largest variance, most first."""
    centred = vectors - vectors.mean(0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    return axes[:, ::-1][:, :dim].copy()


def distilled_table(vectors: np.ndarray, tokens: list[str], probabilities: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """`vectors` are the teacher's of each token alone; rare words weigh more than frequent ones."""
    vectors = (vectors - vectors.mean(0)) @ axes
    weights = SIF_A / (SIF_A + probabilities)
    for special in SPECIAL_TOKENS:
        weights[tokens.index(special)] = 0
    return (vectors * weights[:, None]).astype(np.float32)
