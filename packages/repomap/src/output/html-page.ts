import type { RepoMap } from '../build-repo-map.js';
import { countsText } from './map-header.js';
import type { MapFile } from '../project-map.js';
import { PAGE_SCRIPT, PAGE_STYLE } from './html-page-assets.js';

/** The data of a file for the page's script; references are numbers, so that a large map stays a small page. */
interface PageFile {
  path: string;
  language: string;
  rank: number;
  definitions: [kind: string, name: string, line: number][];
  uses: number[];
}

/** A page with more files is slow to search; the rest have negligible rank. */
const MAX_PAGE_FILES = 5000;

/**
 * One self-contained page: files by rank with their definitions, whom they use and who uses them, and a search.
 *
 * @param map made with `includeDetails`
 * @param title the heading, such as the project's name
 */
export function renderHtml(
  map: Pick<RepoMap, 'files' | 'definitions' | 'references' | 'details'>,
  title: string,
): string {
  const files = pageFiles(map.details ?? []);
  const shown = files.length < map.files ? `; the ${files.length} of highest rank are shown` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Repo map: ${escaped(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p>${escaped(countsText(map) + shown)}</p>
<label>Search paths and names <input id="search" type="search" autofocus></label>
<p id="found" role="status"></p>
</header>
<div id="picture"></div>
<main id="files"></main>
<script type="application/json" id="map">${scriptSafe(JSON.stringify(files))}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function pageFiles(details: readonly MapFile[]): PageFile[] {
  const ranked = [...details]
    .sort((a, b) => b.rank - a.rank || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_PAGE_FILES);
  const numbers = new Map(ranked.map(({ path }, number) => [path, number]));
  return ranked.map(({ path, language, rank, definitions, references }) => ({
    path,
    language,
    rank,
    definitions: [...definitions]
      .sort((a, b) => b.rank - a.rank || a.line - b.line)
      .map(({ kind, name, line }) => [kind, name, line]),
    uses: [...references]
      .sort((a, b) => b.weight - a.weight)
      .flatMap((reference) => numbers.get(reference.path) ?? []),
  }));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A file may be named `</script>`. */
function scriptSafe(json: string): string {
  return json.replaceAll('<', '\\u003c');
}
