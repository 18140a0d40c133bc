"""English texts with their translations: pairs to teach the built-in model other languages.

python translated_pairs.py --repositories DIR --packages DIR --out translated_pairs.jsonl.xz

DIR of repositories holds git directories (bare or not) named OWNER+NAME, DIR of packages the wheels and npm archives
named in PACKAGES. Lines are {lang, source, en, text}.
"""

import argparse
import json
import lzma
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import polib

from extract_pairs import contents, git
from static_model import OTHER_SCRIPTS

IN_LATIN_LETTERS = ["es", "pt", "fr", "de"]
PYTHON_DOCS = {
    "zh": ("zh-cn", "3.14"), "ja": ("ja", "3.11"), "ko": ("ko", "3.13"), "uk": ("uk", "3.13"),
    "es": ("es", "3.12"), "pt": ("pt-br", "3.14"), "fr": ("fr", "3.13"),
}  # fmt: skip
CODES = {
    "zh": "zh", "zh_Hans": "zh", "zh-Hans": "zh", "zh-cn": "zh", "zh_TW": "zh-Hant", "zh_Hant": "zh-Hant", "zh-Hant": "zh-Hant",
    "zh-tw": "zh-Hant", "ja": "ja", "ko": "ko", "ru": "ru", "uk": "uk",
    "es": "es", "es-419": "es", "es_MX": "es", "pt": "pt", "pt_BR": "pt", "pt-BR": "pt", "pt-br": "pt", "fr": "fr", "de": "de",
}  # fmt: skip
DOCUMENTS = [  # source, English, translations, folder
    ("react", "reactjs+react.dev", {"zh": "reactjs+zh-hans.react.dev", "ja": "reactjs+ja.react.dev", "ko": "reactjs+ko.react.dev", "ru": "reactjs+ru.react.dev", "es": "reactjs+es.react.dev", "pt": "reactjs+pt-br.react.dev", "fr": "reactjs+fr.react.dev", "de": "reactjs+de.react.dev"}, "src/content/"),
    ("vue", "vuejs+docs", {"zh": "vuejs-translations+docs-zh-cn", "ja": "vuejs-translations+docs-ja", "fr": "vuejs-translations+docs-fr", "pt": "vuejs-translations+docs-pt"}, "src/"),
    ("rust-book", "rust-lang+book", {"ja": "rust-lang-ja+book-ja", "de": "rust-lang-de+rustbook-de"}, "src/"),
]
PACKAGES = ["apache_superset-*.whl", "django-*.whl", "home_assistant_frontend-*.whl", "typescript-*.tgz"]
MOST_CHARACTERS = 1500
MARKUP = [
    (re.compile(r":[a-z:]+:`([^`<]*?)(?:\s*<[^>]*>)?`"), r" \1 "),
    (re.compile(r"\[/?(?:code|b|i|url|method|member|param|constant|enum|signal|annotation|theme_item|codeblocks?|gdscript|csharp)\b[^\]]*\]"), " "),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"<[^>]{1,80}>|\{/\*.*?\*/\}|\{\{?[^}]*\}\}?|%[sd]|%\([a-z_]+\)[sd]"), " "),
    (re.compile(r"[*_`|#~]+"), " "),
    (re.compile(r"\s+"), " "),
]
LATIN = re.compile("[A-Za-z]{2}")
LIST_ITEM = re.compile(r"(?:^|\n\s*)(?:[-*+]|\d+\.) ")

Pair = tuple[str, str, str, str]  # language, source, English, translation


def files(repository: Path, revision: str, wanted: str) -> dict[str, str]:
    """Text of the files of a revision whose path matches."""
    folder = repository / "repo" if (repository / "repo").is_dir() else repository
    paths = git(folder, "ls-tree", "-r", "--name-only", revision).decode().splitlines()
    found = dict(contents(folder, [(f"{revision}:{path}", path) for path in paths if re.search(wanted, path)]))
    if not found:
        raise SystemExit(f"{repository} has no file {wanted} at {revision}")
    return found


def messages(language: str, source: str, text: str) -> Iterator[Pair]:
    """Of a .po file."""
    for entry in polib.pofile(text):
        if not entry.obsolete and "fuzzy" not in entry.flags:
            yield language, source, entry.msgid, entry.msgstr or "".join(list(entry.msgstr_plural.values())[-1:])


def python_docs(repositories: Path) -> Iterator[Pair]:
    for language, (name, branch) in PYTHON_DOCS.items():
        for text in files(repositories / f"python+python-docs-{name}", branch, r"\.po$").values():
            yield from messages(language, "python-docs", text)


def godot(repositories: Path) -> Iterator[Pair]:
    for path, text in files(repositories / "godotengine+godot-editor-l10n", "HEAD", r"^(editor|classes|properties|extractable)/\w+\.po$").items():
        if language := CODES.get(Path(path).stem):
            yield from messages(language, "godot", text)


def wheel_messages(wheel: Path, source: str) -> Iterator[Pair]:
    archive = zipfile.ZipFile(wheel)
    for name in archive.namelist():
        found = re.search(r"(?:translations|locale)/(\w+)/LC_MESSAGES/(?:messages|django)\.po$", name)
        if found and (language := CODES.get(found[1])):
            yield from messages(language, source, archive.read(name).decode())


def leaves(tree: dict | str, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, f"{path}/{key}")
    elif isinstance(tree, str):
        yield path, tree


def same_keys(language: str, source: str, english: dict, other: dict) -> Iterator[Pair]:
    texts = dict(leaves(english))
    yield from ((language, source, texts[key], text) for key, text in leaves(other) if key in texts)


def home_assistant(wheel: Path) -> Iterator[Pair]:
    archive = zipfile.ZipFile(wheel)
    names = {}
    for name in archive.namelist():
        if found := re.search(r"translations/(?:(.*)/)?([\w-]+)-[0-9a-f]{32}\.json$", name):
            names[found[1], found[2]] = name
    for (part, code), name in names.items():
        if language := CODES.get(code):
            english, other = (json.loads(archive.read(each)) for each in (names[part, "en"], name))
            yield from same_keys(language, "home-assistant", english, other)


def typescript(package: Path) -> Iterator[Pair]:
    with tarfile.open(package) as archive:
        source = archive.extractfile("package/lib/typescript.js").read().decode()
        english = dict(re.findall(r'diag\(\d+, \d+ /\* \w+ \*/, "(\w+)", "((?:[^"\\]|\\.)*)"', source))
        for member in archive.getmembers():
            if member.name.endswith("diagnosticMessages.generated.json") and (language := CODES.get(member.name.split("/")[2])):
                yield from same_keys(language, "typescript", english, json.load(archive.extractfile(member)))


def tldr(repositories: Path) -> Iterator[Pair]:
    pages = files(repositories / "tldr-pages+tldr", "HEAD", r"^pages(\.\w+)?/.*\.md$")
    for path, text in pages.items():
        found = re.match(r"pages\.(\w+)(/.*)", path)
        english = pages.get(f"pages{found[2]}") if found else None
        if english is None or found[1] not in CODES:
            continue
        both = [re.findall(r"^(?:- (.*?)[:：]?|> (.*))$", page, re.M) for page in (english, text)]
        if len(both[0]) == len(both[1]):
            yield from ((CODES[found[1]], "tldr", "".join(a), "".join(b)) for a, b in zip(*both))


def blocks(text: str) -> list[str]:
    """Headings, paragraphs and lists of a Markdown file; a code block is one mark."""
    text = re.sub(r"\A---\n.*?\n---\n|<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"^(`{3,}|~{3,}).*?^\1\s*$", "\n\n```\n\n", text, flags=re.S | re.M)
    return [block.strip() for block in re.split(r"\n\s*\n", text) if block.strip()]


def sections(text: str) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for block in blocks(text):
        if block.startswith("#"):
            found.append([])
        found[-1].append(block)
    return found


def kind(block: str) -> str:
    return re.match(r"#*|```|<|", block)[0] or ("list" if LIST_ITEM.match(block) else "paragraph")


def documents(language: str, source: str, english: str, other: str) -> Iterator[Pair]:
    """Blocks of the sections that have the same kinds of blocks in both languages, where both have as many sections."""
    both = sections(english), sections(other)
    if len(both[0]) != len(both[1]):
        return
    for pair in zip(*both):
        if [kind(block) for block in pair[0]] != [kind(block) for block in pair[1]]:
            continue
        for blocks_of_pair in zip(*pair):
            items = [LIST_ITEM.split(block) for block in blocks_of_pair]
            if len(items[0]) == len(items[1]):
                yield from ((language, source, a, b) for a, b in zip(*items))


def markdown(repositories: Path) -> Iterator[Pair]:
    for source, english, translations, folder in DOCUMENTS:
        texts = files(repositories / english, "HEAD", rf"^{folder}.*\.md$")
        for language, name in translations.items():
            for path, text in files(repositories / name, "HEAD", rf"^{folder}.*\.md$").items():
                if path in texts:
                    yield from documents(language, source, texts[path], text)


def ant_design(repositories: Path) -> Iterator[Pair]:
    texts = files(repositories / "ant-design+ant-design", "HEAD", r"\.(zh-CN|en-US)\.md$|/demo/.*\.md$")
    for path, text in texts.items():
        if path.startswith("CHANGELOG.zh"):
            english = dict(version_lists(texts["CHANGELOG.en-US.md"]))
            for version, lines in version_lists(text):
                if len(lines) == len(english.get(version, [])):
                    yield from (("zh", "ant-design", a, b) for a, b in zip(english[version], lines))
        elif path.endswith(".zh-CN.md") and (other := path.replace(".zh-CN", ".en-US")) in texts:
            yield from documents("zh", "ant-design", texts[other], text)
        elif demo := re.search(r"## zh-CN\n(.*?)## en-US\n(.*)", text, re.S):
            yield "zh", "ant-design", demo[2], demo[1]


def version_lists(changelog: str) -> Iterator[tuple[str, list[str]]]:
    for part in re.split(r"^## ", changelog, flags=re.M):
        yield part.split("\n")[0], [re.sub(r"#\d+|@\w+", "", line) for line in re.findall(r"^\s*- (.*)$", part, re.M)]


def plain(text: str) -> str:
    for pattern, replacement in MARKUP:
        text = pattern.sub(replacement, text)
    return text.strip()


def all_pairs(repositories: Path, packages: Path) -> Iterator[Pair]:
    superset, django, frontend, compiler = (next(packages.glob(name)) for name in PACKAGES)
    yield from python_docs(repositories)
    yield from godot(repositories)
    yield from wheel_messages(superset, "superset")
    yield from wheel_messages(django, "django")
    yield from home_assistant(frontend)
    yield from typescript(compiler)
    yield from tldr(repositories)
    yield from markdown(repositories)
    yield from ant_design(repositories)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repositories", type=Path, required=True)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    seen: set[tuple[str, str, str]] = set()
    counts: dict[tuple[str, str], int] = {}
    with lzma.open(arguments.out, "wt", preset=1) as out:
        for language, source, english, translation in all_pairs(arguments.repositories, arguments.packages):
            en, text = plain(english), plain(translation)
            is_long = max(len(en), len(text)) > MOST_CHARACTERS
            if language in IN_LATIN_LETTERS:
                is_translated = LATIN.search(text) and en.lower() != text.lower()
            else:
                is_translated = OTHER_SCRIPTS.search(text)
            if is_long or (language, en, text) in seen or not LATIN.search(en) or not is_translated:
                continue
            seen.add((language, en, text))
            counts[language, source] = counts.get((language, source), 0) + 1
            out.write(json.dumps({"lang": language, "source": source, "en": en, "text": text}, ensure_ascii=False) + "\n")
    for (language, source), count in sorted(counts.items()):
        print(language, source, count)
    print(len(seen), "pairs")


if __name__ == "__main__":
    main()
