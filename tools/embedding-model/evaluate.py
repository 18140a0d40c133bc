"""Teacher and student on the same retrieval sets: nDCG@10 and recall@1, 5, 10.

python evaluate.py --data DIR --sessions DIR... --model DIR... [--teacher-cache DIR] [--json FILE]
"""

import argparse
import json
import math
from pathlib import Path

import numpy as np
import torch

from evaluation_sets import Pool, all_sets
from static_model import ExportedModel, StaticModel
from teacher import Teacher, default_teacher_folder

CUTS = (1, 5, 10)


def ranked_owners(scores: np.ndarray, owners: list[str], depth: int) -> list[str]:
    """Owners by their best passage, without repeats."""
    found: dict[str, None] = {}
    for index in np.argsort(-scores, kind="stable"):
        found.setdefault(owners[index])
        if len(found) == depth:
            break
    return list(found)


def question_scores(found: list[str], relevant: set[str]) -> list[float]:
    gains = [1 / math.log2(rank + 2) for rank, owner in enumerate(found) if owner in relevant]
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(10, len(relevant))))
    recalls = [len(relevant & set(found[:cut])) / len(relevant) for cut in CUTS]
    return [sum(gains) / ideal, *recalls]


def pool_scores(pool: Pool, encode) -> list[list[float]]:
    scores = encode(pool.questions) @ encode(pool.passages).T
    return [
        question_scores(ranked_owners(row, pool.owners, 10), relevant)
        for row, relevant in zip(scores, pool.relevant, strict=True)
    ]


def evaluate(sets: dict[str, list[Pool]], encode) -> dict[str, list[float]]:
    """nDCG@10 and the recalls, each a mean over all questions of a set."""
    return {
        name: np.mean([row for pool in pools for row in pool_scores(pool, encode)], axis=0).tolist()
        for name, pools in sets.items()
    }


def load_student(folder: Path):
    return ExportedModel(folder) if (folder / "model.onnx").exists() else StaticModel.load(folder)


def table(sets, results: dict[str, dict[str, list[float]]]) -> str:
    names = list(results)
    lines = ["| set | questions | passages | " + " | ".join(names) + " |", "|---|--:|--:|" + "--:|" * len(names)]
    for name, pools in sets.items():
        questions = sum(len(pool.questions) for pool in pools)
        passages = sum(len(pool.passages) for pool in pools)
        first = results[names[0]][name][0]
        cells = [f"{results[model][name][0]:.3f} ({results[model][name][0] / first:.0%}) r@10 {results[model][name][3]:.3f}" for model in names]
        lines.append(f"| {name} | {questions} | {passages} | " + " | ".join(cells) + " |")
    ratios = [np.mean([results[model][s][0] / results[names[0]][s][0] for s in sets]) for model in names]
    means = [np.mean([results[model][s][0] for s in sets]) for model in names]
    lines.append("| mean | | | " + " | ".join(f"{m:.3f} ({r:.0%})" for m, r in zip(means, ratios)) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with cosqa, locomo, longmemeval, text")
    parser.add_argument("--sessions", type=Path, nargs="*", default=[], help="unpacked session archives with gold/")
    parser.add_argument("--code-pairs", type=Path, help="pairs written by extract_pairs.py")
    parser.add_argument("--model", type=Path, nargs="+", required=True)
    parser.add_argument("--teacher", type=Path, default=None)
    parser.add_argument("--teacher-cache", type=Path, required=True, help="the teacher's vectors are kept here")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    sets = all_sets(arguments.data, arguments.sessions, arguments.code_pairs)
    teacher = Teacher(arguments.teacher or default_teacher_folder(), bfloat16=True)
    results = {"teacher": evaluate(sets, lambda texts: teacher.encode_cached(texts, arguments.teacher_cache))}
    for folder in arguments.model:
        results[folder.name] = evaluate(sets, load_student(folder).encode)
    print(table(sets, results))
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
