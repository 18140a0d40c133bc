"""Gradient stages over the token table: regression to the teacher, then contrastive training on pairs."""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from static_model import SPECIAL_TOKENS, StaticModel


@dataclass
class TokenLists:
    """Texts as token ids: text i is flat[starts[i]:starts[i + 1]]."""

    flat: np.ndarray
    starts: np.ndarray

    @staticmethod
    def of(model: StaticModel, texts: list[str], max_tokens: int) -> "TokenLists":
        lists: list[np.ndarray] = []
        for start in range(0, len(texts), 8192):
            batch = model.token_ids(texts[start : start + 8192], max_tokens)
            lists += [np.array(ids, np.int32) for ids in batch]
        starts = np.concatenate([[0], np.cumsum([len(ids) for ids in lists])]).astype(np.int64)
        return TokenLists(np.concatenate(lists), starts)

    @property
    def count(self) -> int:
        return len(self.starts) - 1

    def batch(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Ids of the rows one after the other, and the place in `rows` of each."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        begins = np.cumsum(lengths) - lengths
        positions = np.arange(lengths.sum()) + np.repeat(self.starts[rows] - begins, lengths)
        return self.flat[positions].astype(np.int64), np.repeat(np.arange(len(rows)), lengths)


@dataclass
class Bags:
    """Texts as embedding_bag wants them: the distinct tokens of each, sqrt(count) of each token, where a text begins."""

    ids: torch.Tensor
    weights: torch.Tensor
    begins: torch.Tensor

    @staticmethod
    def of(ids: np.ndarray, rows: np.ndarray, count: int) -> "Bags":
        """`rows` names the text of each id, in any order."""
        keys, counts = np.unique(rows * 2**32 + ids, return_counts=True)
        begins = np.searchsorted(keys, np.arange(count) * 2**32)
        weights = np.sqrt(counts).astype(np.float32)
        return Bags(torch.from_numpy(keys % 2**32), torch.from_numpy(weights), torch.from_numpy(begins))


class Table(torch.nn.Module):
    def __init__(self, table: np.ndarray):
        super().__init__()
        # Mean row length 1, so that one learning rate fits every table; the embedding does not depend on it.
        scaled = table / np.linalg.norm(table, axis=1).mean()
        self.rows = torch.nn.Parameter(torch.from_numpy(scaled.astype(np.float32)))
        self.start = self.rows.detach().clone()

    def embed(self, bags: Bags) -> torch.Tensor:
        sums = functional.embedding_bag(bags.ids, self.rows, bags.begins, mode="sum", per_sample_weights=bags.weights)
        return functional.normalize(sums, dim=1)

    def drift(self, ids: torch.Tensor) -> torch.Tensor:
        """How far the rows of a batch are from where the stage began."""
        used = torch.unique(ids)
        return ((self.rows[used] - self.start[used]) ** 2).sum(1).mean()


def cosine_schedule(step: int, steps: int, warm_up: int = 50) -> float:
    if step < warm_up:
        return (step + 1) / warm_up
    return 0.5 * (1 + math.cos(math.pi * (step - warm_up) / max(1, steps - warm_up))) + 0.01


def optimise(table: torch.nn.Module, steps: int, rate: float, loss_of_step) -> None:
    optimiser = torch.optim.Adam(table.parameters(), lr=rate, betas=(0.9, 0.98))
    running = 0.0
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * cosine_schedule(step, steps)
        loss = loss_of_step(step)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        running += loss.item()
        if (step + 1) % 200 == 0:
            print(f"step {step + 1}/{steps} loss {running / 200:.4f}")
            running = 0.0


def finished(model: StaticModel, table: Table) -> StaticModel:
    rows = table.rows.detach().numpy().copy()
    for token in SPECIAL_TOKENS:
        rows[model.tokenizer.token_to_id(token)] = 0
    return StaticModel(model.tokenizer, rows)


@dataclass
class RegressionSettings:
    epochs: int = 3
    batch: int = 512
    rate: float = 0.003
    max_tokens: int = 128
    seed: int = 1


@dataclass
class Taught:
    """Texts with the teacher's vector of each, in the axes of the table, at unit length."""

    tokens: TokenLists
    wanted: torch.Tensor

    @staticmethod
    def of(model: StaticModel, texts: list[str], targets: np.ndarray, max_tokens: int) -> "Taught":
        tokens = TokenLists.of(model, texts, max_tokens)
        return Taught(tokens, functional.normalize(torch.from_numpy(targets), dim=1))

    def loss(self, table: Table, rows: np.ndarray) -> torch.Tensor:
        return 1 - (table.embed(Bags.of(*self.tokens.batch(rows), len(rows))) * self.wanted[rows]).sum(1).mean()


def regress(model: StaticModel, taught: Taught, settings: RegressionSettings) -> StaticModel:
    """Bring each text's embedding near the teacher's (tokenlearn's idea): the loss is 1 − cosine."""
    table = Table(model.table)
    random = np.random.default_rng(settings.seed)
    per_epoch = taught.tokens.count // settings.batch
    order = np.concatenate(
        [random.permutation(taught.tokens.count)[: per_epoch * settings.batch] for _ in range(settings.epochs)]
    )

    def loss_of_step(step: int) -> torch.Tensor:
        return taught.loss(table, order[step * settings.batch : (step + 1) * settings.batch])

    optimise(table, per_epoch * settings.epochs, settings.rate, loss_of_step)
    return finished(model, table)


@dataclass
class ContrastSettings:
    epochs: int = 2
    batch: int = 1024
    rate: float = 0.003
    temperature: float = 0.05
    drift_weight: float = 0.1
    same_group_share: float = 0.5
    max_tokens: int = 256
    taught_weight: float = 5.0
    taught_batch: int = 512
    commit_share: float = 1.0
    general_share: float = 1.0
    frame_share: float = 0.4
    moved_share: float = 0.3
    copied_share: float = 0.0
    seed: int = 2


@dataclass
class Pairs:
    """Left and right texts of each pair; groups names like texts; frames are the words a question may come with."""

    left: TokenLists
    right: TokenLists
    groups: np.ndarray
    is_code: np.ndarray
    frames: TokenLists
    frames_of_pair: list[np.ndarray]


def batches(groups: np.ndarray, settings: ContrastSettings, random: np.random.Generator) -> list[np.ndarray]:
    """One epoch: a share of the batches from one group (repository and kind: like texts, hard negatives), the rest mixed."""
    out, mixed = [], []
    for group in np.unique(groups):
        rows = random.permutation(np.flatnonzero(groups == group))
        alone = int(len(rows) * settings.same_group_share) // settings.batch * settings.batch
        out += np.split(rows[:alone], alone // settings.batch) if alone else []
        mixed.append(rows[alone:])
    rest = random.permutation(np.concatenate(mixed))
    full = len(rest) // settings.batch * settings.batch
    out += np.split(rest[:full], full // settings.batch) if full else []
    return [out[index] for index in random.permutation(len(out))]


def question_batch(pairs: Pairs, rows: np.ndarray, settings: ContrastSettings, random: np.random.Generator) -> tuple[Bags, Bags]:
    """Token bags of a batch, varied each time. A bag has no order, so the variations work on ids:

    for some pairs, half of the left words move to the right (a question seldom repeats a comment word for word,
    and code comes with its comment); for some functions the whole comment stands beside the code as well, and the
    question is some words of it; some questions get words around them ("how to … in python").
    """
    count = len(rows)
    left_ids, left_rows = pairs.left.batch(rows)
    right_ids, right_rows = pairs.right.batch(rows)
    copied = pairs.is_code[rows] & (random.random(count) < settings.copied_share)
    moved = ~copied & (random.random(count) < settings.moved_share)
    moving = moved[left_rows] & (random.random(len(left_ids)) < 0.5)
    right_ids, right_rows = np.append(right_ids, left_ids[moving]), np.append(right_rows, left_rows[moving])
    left_ids, left_rows = left_ids[~moving], left_rows[~moving]
    right_ids = np.append(right_ids, left_ids[copied[left_rows]])
    right_rows = np.append(right_rows, left_rows[copied[left_rows]])
    kept = ~copied[left_rows] | (random.random(len(left_ids)) < random.uniform(0.3, 0.9, count)[left_rows])
    left_ids, left_rows = left_ids[kept], left_rows[kept]
    framed = [row for row in range(count) if len(pairs.frames_of_pair[rows[row]]) and random.random() < settings.frame_share]
    if framed:
        frames = np.array([random.choice(pairs.frames_of_pair[rows[row]]) for row in framed])
        frame_ids, frame_rows = pairs.frames.batch(frames)
        left_ids, left_rows = np.append(left_ids, frame_ids), np.append(left_rows, np.array(framed)[frame_rows])
    return Bags.of(left_ids, left_rows, count), Bags.of(right_ids, right_rows, count)


def contrast(model: StaticModel, pairs: Pairs, taught: Taught, settings: ContrastSettings) -> StaticModel:
    """InfoNCE in both directions with in-batch negatives, held near the teacher and near its start.

    Pairs alone bend everyday words to what they mean in code: then questions about conversations suffer.
    """
    table = Table(model.table)
    random = np.random.default_rng(settings.seed)
    order = [rows for _ in range(settings.epochs) for rows in batches(pairs.groups, settings, random)]

    def loss_of_step(step: int) -> torch.Tensor:
        left, right = question_batch(pairs, order[step], settings, random)
        scores = table.embed(left) @ table.embed(right).T / settings.temperature
        same = torch.arange(len(scores))
        drift = table.drift(torch.cat([left.ids, right.ids]))
        pairing = (functional.cross_entropy(scores, same) + functional.cross_entropy(scores.T, same)) / 2
        teaching = taught.loss(table, random.integers(taught.tokens.count, size=settings.taught_batch))
        return pairing + settings.drift_weight * drift + settings.taught_weight * teaching

    optimise(table, len(order), settings.rate, loss_of_step)
    return finished(model, table)
