"""Training pairs from git repositories: doc comment → code, heading → paragraph, commit subject → body.

python extract_pairs.py --repositories DIR... --out pairs.jsonl.xz [--exclude cosqa_codes.jsonl]

A repository is a git directory (bare or not); its name is OWNER+NAME or OWNER/NAME taken from the path.
Nothing is checked out. The order of the output is that of the arguments, so two runs give the same file.
"""

import argparse
import ast
import hashlib
import json
import lzma
import re
import subprocess
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path

from evaluation_sets import read_lines, without_docstring

MOST_PAIRS = {"code": 9000, "heading": 2500, "commit": 3000}  # a kind and repository: none may drown the rest
MOST_CODE_CHARACTERS = 1500
MOST_CODE_LINES = 40
MOST_COMMENT_CHARACTERS = 400
MOST_FILE_BYTES = 400_000
DECLARATION_SUFFIXES = {".js", ".mjs", ".ts", ".tsx", ".java", ".go", ".rs", ".php", ".cs", ".cc", ".h", ".kt", ".rb"}
LEFT_OUT_PATHS = re.compile(r"(^|/)(tests?|__tests__|spec|fixtures|_?vendor|third_party|node_modules|dist|build|locale)/", re.I)
COMMENT_MARK = re.compile(r"^\s*(/\*\*?|\*/|\*|///?!?|#+)\s?|\s*\*/\s*$")
COMMENT_STOP = re.compile(r"^\s*(@\w+|:\w+|\\\w+|Args?:|Arguments?:|Param(eter)?s?\b|Returns?:?$|Raises:|Examples?:?|# |```|>>>|---|===|\.\. )")
NOT_A_DOC = re.compile(r"copyright|licen[cs]e|eslint|prettier|nolint|todo|fixme|generated|@inheritdoc|\{@inheritDoc\}", re.I)
DECLARATION = re.compile(
    r"^\s*(export|public|private|protected|internal|static|async|abstract|final|override|virtual|pub|fn|func|function|def"
    r"|class|interface|struct|enum|trait|impl|type|const|let|inline|unsafe|extern|module|template|void|constexpr|\w[\w<>\[\], .*&]*\()"
)
TRAILER = re.compile(r"^(signed-off-by|co-authored-by|change-id|reviewed-by|reviewed-on|tested-by|acked-by|cc|closes|fixes|refs?|bug|run-try-bot|trybot\S*|auto-submit|pr-url|\S+-by)\b.*:|^\(cherry picked|^https?://\S+$", re.I)
DULL_SUBJECT = re.compile(r"^(merge|revert|bump|release|version|update changelog|\[ci skip\]|auto merge|backport)\b|dependabot|^v?\d+\.\d+", re.I)


def git(repository: Path, *arguments: str, stdin: bytes | None = None) -> bytes:
    return subprocess.run(["git", f"--git-dir={repository}", *arguments], input=stdin, capture_output=True, check=False).stdout


def repository_name(path: Path) -> str:
    parts = [part for part in path.resolve().parts if part not in (".git", "repo")]
    return parts[-1].replace("+", "/", 1) if "+" in parts[-1] else "/".join(parts[-2:])


def files(repository: Path) -> Iterator[tuple[str, str]]:
    """Path and text of each source and Markdown file of the newest commit, in path order."""
    wanted = []
    for line in git(repository, "ls-tree", "-r", "--long", "HEAD").decode("utf-8", "replace").splitlines():
        details, path = line.split("\t", 1)
        _, kind, blob, size = details.split()
        suffix = Path(path).suffix.lower()
        if kind == "blob" and size.isdigit() and int(size) <= MOST_FILE_BYTES and not LEFT_OUT_PATHS.search(path):
            if suffix in DECLARATION_SUFFIXES | {".py", ".md"}:
                wanted.append((blob, path))
    yield from contents(repository, wanted)


def contents(repository: Path, wanted: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Path and text of each, given its object (an id, or a revision's path) and its path; what is missing is left out."""
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        answer = git(repository, "cat-file", "--batch", stdin="\n".join(name for name, _ in part).encode() + b"\n")
        position = 0
        for _, path in part:
            head_end = answer.index(b"\n", position)
            head = answer[position:head_end].split()
            if len(head) != 3:  # "<id> missing"
                position = head_end + 1
                continue
            size = int(head[2])
            yield path, answer[head_end + 1 : head_end + 1 + size].decode("utf-8", "replace")
            position = head_end + size + 2


def clean_comment(lines: list[str]) -> str:
    """The description only: parameters, examples and markup lines end it."""
    kept: list[str] = []
    for line in lines:
        line = COMMENT_MARK.sub("", line).strip()
        if COMMENT_STOP.match(line) or (not line and len(" ".join(kept)) > 80):
            break
        kept.append(line)
    text = re.sub(r"<[^>]+>|\{@\w+ ([^}]*)\}", r"\1", " ".join(kept))
    return re.sub(r"\s+", " ", text).strip()[:MOST_COMMENT_CHARACTERS]


def is_description(text: str) -> bool:
    words = text.split()
    return len(words) >= 4 and text.isascii() and not NOT_A_DOC.search(text) and sum(map(str.isalpha, text)) > 0.6 * len(text)


def python_pairs(text: str) -> Iterator[tuple[str, str]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = text.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        comment = clean_comment((ast.get_docstring(node) or "").split("\n"))
        if is_description(comment):
            code = textwrap.dedent("\n".join(lines[node.lineno - 1 : node.end_lineno]))
            yield comment, without_docstring(code)


def declaration_code(lines: list[str]) -> str:
    """A declaration with its body: to the line where its brackets close, or to the next comment block."""
    depth, out = 0, []
    for line in lines[:MOST_CODE_LINES]:
        out.append(line)
        depth += line.count("{") + line.count("(") - line.count("}") - line.count(")")
        if depth <= 0 and (line.rstrip().endswith(("}", ";", "};", ")", "end")) or not line.strip()):
            break
    return textwrap.dedent("\n".join(out)).strip()


def declaration_pairs(text: str) -> Iterator[tuple[str, str]]:
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        start = index
        if lines[index].lstrip().startswith("/*"):
            while index < len(lines) and "*/" not in lines[index]:
                index += 1
            index += 1
        else:
            while index < len(lines) and lines[index].lstrip().startswith(("//", "# ")):
                index += 1
        if index == start:
            index += 1
            continue
        after = index
        while after < len(lines) and lines[after].lstrip().startswith(("@", "#[", "[")):
            after += 1
        if after < len(lines) and DECLARATION.match(lines[after]):
            comment = clean_comment(lines[start:index])
            if is_description(comment):
                yield comment, declaration_code(lines[index:])


def heading_pairs(text: str) -> Iterator[tuple[str, str]]:
    path: list[str] = []
    taken = 0
    for block in re.split(r"\n\s*\n", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        heading = re.match(r"^(#{1,5})\s+(.+?)\s*#*$", block.strip(), re.MULTILINE)
        if heading:
            path = path[: len(heading[1]) - 1] + [heading[2]]
            taken = 0
            block = block.strip()[heading.end() :]
        block = block.strip()
        if path and taken < 3 and 80 <= len(block) <= 1200 and block.isascii() and not block.startswith(("|", "<", "[", "!")):
            taken += 1
            yield " > ".join(path[-3:]), block


def commit_pairs(repository: Path) -> Iterator[tuple[str, str]]:
    log = git(repository, "log", "HEAD", "--no-merges", "--format=%s%x00%b%x01").decode("utf-8", "replace")
    for record in log.split("\x01"):
        subject, _, body = record.strip().partition("\x00")
        body = "\n".join(line for line in body.splitlines() if not TRAILER.match(line.strip())).strip()
        body = re.sub(r"\S+@\S+\.\w+", "<email>", body)[:MOST_CODE_CHARACTERS]
        if len(subject.split()) >= 3 and len(body) >= 60 and body.isascii() and not DULL_SUBJECT.search(subject):
            yield subject, body


def file_pairs(repository: Path) -> Iterator[tuple[str, str, str]]:
    for path, text in files(repository):
        if path.endswith(".md"):
            yield from (("heading", *pair) for pair in heading_pairs(text))
        elif path.endswith(".py"):
            yield from (("code", *pair) for pair in python_pairs(text))
        else:
            yield from (("code", *pair) for pair in declaration_pairs(text))


def normalised(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def found_pairs(repository: Path, kinds: set[str]) -> Iterator[tuple[str, str, str]]:
    yield from file_pairs(repository)
    if "commit" in kinds:
        yield from (("commit", *pair) for pair in commit_pairs(repository))


def repository_pairs(repository: Path, kinds: set[str], seen: set[str]) -> Iterator[dict]:
    """At most MOST_PAIRS of each kind, chosen by a hash; no text twice, in this or an earlier repository."""
    name = repository_name(repository)
    by_kind: dict[str, list[tuple[str, str]]] = {kind: [] for kind in MOST_PAIRS if kind in kinds}
    for kind, comment, text in found_pairs(repository, kinds):
        if kind not in kinds:
            continue
        text = text.strip()[:MOST_CODE_CHARACTERS]
        keys = {f"{kind} a {normalised(comment)}", f"b {normalised(text)}"}
        if len(normalised(text)) >= 40 and not keys & seen:
            seen |= keys
            by_kind[kind].append((comment, text))
    for kind, pairs in by_kind.items():
        pairs.sort(key=lambda pair: hashlib.sha256("\0".join(pair).encode()).digest())
        for comment, text in pairs[: MOST_PAIRS[kind]]:
            yield {"a": comment, "b": text, "kind": kind, "repo": name}


def excluded_keys(path: Path | None) -> set[str]:
    """Evaluation functions, with and without docstring: no training pair may hold one of them."""
    codes = [row["code"] for row in read_lines(path)] if path else []
    return {f"b {normalised(text.strip()[:MOST_CODE_CHARACTERS])}" for code in codes for text in (code, without_docstring(code))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repositories", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--exclude", type=Path, help="evaluation functions that no pair may hold")
    parser.add_argument("--kinds", nargs="+", choices=sorted(MOST_PAIRS), default=sorted(MOST_PAIRS))
    arguments = parser.parse_args()
    seen = excluded_keys(arguments.exclude)
    partial = arguments.out.with_suffix(".partial")
    with lzma.open(partial, "wt", encoding="utf-8", preset=1) as out:
        for repository in arguments.repositories:
            counts = dict.fromkeys(MOST_PAIRS, 0)
            for pair in repository_pairs(repository, set(arguments.kinds), seen):
                counts[pair["kind"]] += 1
                out.write(json.dumps(pair) + "\n")
            print(repository_name(repository), counts, flush=True)
    partial.rename(arguments.out)


if __name__ == "__main__":
    main()
