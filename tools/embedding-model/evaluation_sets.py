"""Retrieval sets: questions, passages, and which passages answer which question."""

import ast
import hashlib
import json
import lzma
import re
from dataclasses import dataclass
from pathlib import Path

HELD_OUT_PAIRS = 1000
CHUNK_CHARACTERS = 1000


@dataclass
class Pool:
    """Passage i belongs to owners[i]; a question ranks owners by their best passage."""

    questions: list[str]
    passages: list[str]
    owners: list[str]
    relevant: list[set[str]]


def is_held_out(repository: str) -> bool:
    """Every fifth repository, chosen by a hash of its name, is never trained on."""
    return hashlib.sha256(repository.encode()).digest()[0] % 5 == 4


def read_lines(path: Path) -> list[dict]:
    opened = lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else open(path, encoding="utf-8")
    with opened as lines:
        return [json.loads(line) for line in lines]


DOCSTRING = re.compile(r"^(\s*[rRuUbB]*)(\"\"\"|''')(.*?)\2", re.DOTALL | re.MULTILINE)


def without_docstring(code: str) -> str:
    """Python code without its docstrings; by pattern where it does not parse (CoSQA has Python 2)."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return DOCSTRING.sub(r"\1", code, count=1)
    lines = code.split("\n")
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            expression = node.body[0]
            for line in range(expression.lineno - 1, expression.end_lineno):
                lines[line] = ""
    return "\n".join(line for line in lines if line)


def cosqa(folder: Path, docstrings: bool) -> list[Pool]:
    codes = read_lines(folder / "cosqa_codes.jsonl")
    queries = read_lines(folder / "cosqa_dev_queries.jsonl")
    return [
        Pool(
            [query["query"] for query in queries],
            [code["code"] if docstrings else without_docstring(code["code"]) for code in codes],
            [str(code["code_id"]) for code in codes],
            [{str(query["code_id"])} for query in queries],
        )
    ]


def longmemeval(path: Path, by_turn: bool) -> list[Pool]:
    """One pool of all evidence; a question's own sessions (or the turns of them) are its answers."""
    questions, relevant, passages, owners = [], [], [], []
    for record in json.loads(path.read_text()):
        mine = set()
        for number, session in enumerate(record["sessions"]):
            owner = f"{record['question_id']}#{number}"
            mine.add(owner)
            turns = [turn["content"] for turn in session["turns"]]
            texts = turns if by_turn else ["\n".join(turns)]
            passages += texts
            owners += [owner] * len(texts)
        questions.append(record["question"])
        relevant.append(mine)
    return [Pool(questions, passages, owners, relevant)]


def locomo(path: Path) -> list[Pool]:
    """One pool a conversation: every turn; categories 1 to 4 (5 has no answer)."""
    pools = []
    for sample in json.loads(path.read_text()):
        sessions = [value for value in sample["conversation"].values() if isinstance(value, list)]
        turns = [turn for session in sessions for turn in session]
        asked = [entry for entry in sample["qa"] if entry["category"] != 5 and entry["evidence"]]
        pools.append(
            Pool(
                [entry["question"] for entry in asked],
                [f"{turn['speaker']}: {turn['text']}" for turn in turns],
                [turn["dia_id"] for turn in turns],
                [set(entry["evidence"]) for entry in asked],
            )
        )
    return pools


def held_out_pairs(path: Path, kinds: set[str]) -> list[Pool]:
    rows = [row for row in read_lines(path) if is_held_out(row["repo"]) and row["kind"] in kinds]
    rows.sort(key=lambda row: hashlib.sha256((row["a"] + "\0" + row["b"]).encode()).digest())
    rows = rows[:HELD_OUT_PAIRS]
    by_question: dict[str, set[str]] = {}
    for index, row in enumerate(rows):
        by_question.setdefault(row["a"], set()).add(str(index))
    return [
        Pool(
            list(by_question),
            [row["b"] for row in rows],
            [str(index) for index in range(len(rows))],
            list(by_question.values()),
        )
    ]


def chunks(text: str) -> list[str]:
    """Whole paragraphs up to about 200 tokens."""
    out = [""]
    for paragraph in re.split(r"\n\s*\n", text):
        for start in range(0, len(paragraph), CHUNK_CHARACTERS):
            piece = paragraph[start : start + CHUNK_CHARACTERS]
            if out[-1] and len(out[-1]) + len(piece) > CHUNK_CHARACTERS:
                out.append("")
            out[-1] += ("\n\n" if out[-1] else "") + piece
    return [chunk for chunk in out if chunk.strip()]


def spoken_text(record: dict) -> str:
    """What was said in one Claude Code record: prompts and answers, no tool results."""
    content = (record.get("message") or {}).get("content") or ""
    if record.get("isMeta") or record.get("type") not in ("user", "assistant"):
        return ""
    if isinstance(content, str):
        return content
    return "\n\n".join(block.get("text", "") for block in content if block.get("type") == "text")


def sessions(folder: Path) -> list[Pool]:
    """Commit subject to the session it was made in: passages are 200-token chunks of what was said."""
    asked: dict[str, set[str]] = {}
    for row in read_lines(folder / "gold" / "commits.jsonl"):
        asked.setdefault(row["subject"], set()).add(row["session_id"])
    passages, owners = [], []
    for path in sorted(folder.glob("claude/projects/*/*.jsonl")):
        said = "\n\n".join(filter(None, map(spoken_text, read_lines(path))))
        mine = chunks(said)
        passages += mine
        owners += [path.stem] * len(mine)
    present = set(owners)
    asked = {subject: found & present for subject, found in asked.items() if found & present}
    return [Pool(list(asked), passages, owners, list(asked.values()))]


def all_sets(data: Path, session_folders: list[Path], code: Path | None) -> dict[str, list[Pool]]:
    text = data / "text" / "text_pairs.jsonl.xz"
    memory = data / "longmemeval" / "longmemeval_dev.json"
    found = {
        "cosqa": cosqa(data / "cosqa", True),
        "cosqa without docstring": cosqa(data / "cosqa", False),
        "longmemeval sessions": longmemeval(memory, False),
        "longmemeval turns": longmemeval(memory, True),
        "locomo turns": locomo(data / "locomo" / "locomo_dev.json"),
        "held-out headings": held_out_pairs(text, {"heading", "question"}),
        "held-out commits": held_out_pairs(text, {"commit"}),
    }
    for folder in session_folders:
        found[f"sessions {folder.name}"] = sessions(folder)
    if code:
        found["held-out doc comments"] = held_out_pairs(code, {"code"})
    return found
