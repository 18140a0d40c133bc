export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; }
header { position: sticky; top: 0; background: Canvas; padding-bottom: .5rem; border-bottom: 1px solid GrayText; }
h1 { font-size: 1.3rem; margin: 0; }
p { margin: .2rem 0; color: GrayText; }
input { font: inherit; width: min(30rem, 90%); }
article { border-bottom: 1px solid color-mix(in srgb, GrayText 30%, transparent); padding: .4rem 0; }
h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
h2 small { font-weight: normal; color: GrayText; }
meter { width: 6rem; vertical-align: middle; }
code { font-size: .9rem; }
ul { columns: 20rem; list-style: none; margin: .2rem 0; padding-left: 1rem; }
li { overflow-wrap: anywhere; }
summary { cursor: pointer; color: GrayText; }
#picture { text-align: center; }
svg { width: min(100%, 56rem); height: auto; }
svg text { font-size: 13px; fill: currentColor; }
svg path { fill: none; opacity: .45; }
svg a { cursor: pointer; }
svg.pointed path, svg.pointed a { opacity: .08; }
svg.pointed .near { opacity: 1; }
figcaption span { white-space: nowrap; margin: 0 .5rem; }
`;

/** Plain DOM calls and textContent only: what a repository names its files never becomes markup. */
export const PAGE_SCRIPT = `
const files = JSON.parse(document.getElementById('map').textContent);
const usedBy = files.map(() => []);
files.forEach((file, number) => file.uses.forEach((used) => usedBy[used].push(number)));
const list = document.getElementById('files');
const STEP = 200;
const FEW = 12;
const element = (name, text) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
};
const linksTo = (label, numbers) => {
  const details = element('details');
  details.append(element('summary', label + ' ' + numbers.length));
  const items = element('ul');
  for (const number of numbers) {
    const link = element('a', files[number].path);
    link.href = '#' + encodeURIComponent(files[number].path);
    link.onclick = () => { search.value = files[number].path; show(); };
    const item = element('li');
    item.append(link);
    items.append(item);
  }
  details.append(items);
  return details;
};
const definitionsOf = (file, limit) => {
  const items = element('ul');
  for (const [kind, name, line] of file.definitions.slice(0, limit)) {
    const item = element('li');
    item.append(element('code', kind + ' ' + name), ' L' + line);
    items.append(item);
  }
  if (file.definitions.length > limit) {
    const more = element('button', 'all ' + file.definitions.length);
    more.onclick = () => items.replaceWith(definitionsOf(file, Infinity));
    items.append(more);
  }
  return items;
};
const card = (number) => {
  const file = files[number];
  const article = element('article');
  const heading = element('h2', file.path + ' ');
  const meter = element('meter');
  meter.max = files[0].rank;
  meter.value = file.rank;
  meter.title = 'rank ' + (number + 1);
  heading.append(meter, element('small', ' ' + file.language));
  article.append(heading, definitionsOf(file, FEW));
  if (file.uses.length) article.append(linksTo('uses', file.uses));
  if (usedBy[number].length) article.append(linksTo('used by', usedBy[number]));
  return article;
};
const PICTURED = 64;
const FEW_FOUND = 8;
const LINKS = 5;
const RADIUS = 300;
const LONGEST_LABEL = 24;
const drawn = (name, attributes, ...children) => {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const groupOf = (file) => file.path.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
// The files found; of few, also what they use and who uses them. Beside each other stands what shares a folder.
const inPicture = (found) => {
  const shown = new Set(found.slice(0, PICTURED));
  if (found.length <= FEW_FOUND) {
    for (const other of found.flatMap((number) => [...files[number].uses, ...usedBy[number]])) {
      if (shown.size < PICTURED) shown.add(other);
    }
  }
  const inOrder = (a, b) => (files[a].path < files[b].path ? -1 : 1);
  return [...shown].sort((a, b) => groupOf(files[a]).localeCompare(groupOf(files[b])) || inOrder(a, b));
};
const picture = (found) => {
  const numbers = inPicture(found);
  const isAsked = (number) => found.length > FEW_FOUND || found.includes(number);
  const groups = [...new Set(numbers.map((number) => groupOf(files[number])))];
  const colour = (number) => 'hsl(' + ((groups.indexOf(groupOf(files[number])) * 137.5) % 360) + ' 65% 50%)';
  const svg = drawn('svg', { viewBox: '-490 -490 980 980', role: 'group', 'aria-label': 'Who uses whom' });
  const angle = new Map(numbers.map((number, place) => [number, (2 * Math.PI * place) / numbers.length]));
  const at = (number, radius) => [Math.cos(angle.get(number)) * radius, Math.sin(angle.get(number)) * radius].map(Math.round).join(' ');
  const near = new Map(numbers.map((number) => [number, []]));
  const nodes = new Map();
  for (const number of numbers) {
    const links = files[number].uses.filter((other) => angle.has(other) && (isAsked(number) || isAsked(other)));
    for (const used of found.length > FEW_FOUND ? links.slice(0, LINKS) : links) {
      const d = 'M ' + at(number, RADIUS) + ' Q 0 0 ' + at(used, RADIUS);
      const link = drawn('path', { d, stroke: colour(used), 'stroke-width': 1.5 });
      near.get(number).push([link, used]);
      near.get(used).push([link, number]);
      svg.append(link);
    }
  }
  const point = (number) => {
    svg.querySelectorAll('.near').forEach((each) => each.classList.remove('near'));
    svg.classList.toggle('pointed', number !== undefined);
    if (number === undefined) return;
    nodes.get(number).classList.add('near');
    for (const [link, other] of near.get(number)) for (const each of [link, nodes.get(other)]) each.classList.add('near');
  };
  for (const number of numbers) {
    const degrees = (angle.get(number) * 180) / Math.PI;
    const isLeft = degrees > 90 && degrees < 270;
    const name = files[number].path.split('/').pop();
    const label = drawn('text', {
      transform: 'rotate(' + degrees + ') translate(' + (RADIUS + 14) + ' 0)' + (isLeft ? ' rotate(180)' : ''),
      'text-anchor': isLeft ? 'end' : 'start',
      'dominant-baseline': 'middle',
    }, name.length > LONGEST_LABEL ? name.slice(0, LONGEST_LABEL - 1) + '…' : name);
    const [cx, cy] = at(number, RADIUS).split(' ');
    const r = 3 + 7 * Math.sqrt(files[number].rank / files[0].rank);
    const node = drawn('a', { href: '#', 'aria-label': files[number].path },
      drawn('title', {}, files[number].path), drawn('circle', { cx, cy, r, fill: colour(number) }), label);
    node.onmouseenter = node.onfocus = () => point(number);
    node.onmouseleave = node.onblur = () => point();
    node.onclick = (event) => { event.preventDefault(); search.value = files[number].path; show(); };
    nodes.set(number, node);
    svg.append(node);
  }
  const caption = element('figcaption');
  for (const group of groups) {
    const entry = element('span', '● ' + group);
    entry.style.color = colour(numbers.find((number) => groupOf(files[number]) === group));
    caption.append(entry, ' ');
  }
  const figure = element('figure');
  figure.append(svg, caption);
  return figure;
};
const search = document.getElementById('search');
const matches = () => {
  const wanted = search.value.trim().toLowerCase();
  return files.flatMap((file, number) => {
    const hit = file.path.toLowerCase().includes(wanted)
      || file.definitions.some(([, name]) => name.toLowerCase().includes(wanted));
    return hit ? [number] : [];
  });
};
function show() {
  const found = matches();
  const grow = (from) => {
    list.append(...found.slice(from, from + STEP).map(card));
    if (found.length <= from + STEP) return;
    const more = element('button', 'more');
    more.onclick = () => { more.remove(); grow(from + STEP); };
    list.append(more);
  };
  list.replaceChildren();
  document.getElementById('picture').replaceChildren(picture(found));
  document.getElementById('found').textContent = found.length + (found.length === 1 ? ' file' : ' files');
  grow(0);
}
search.oninput = show;
show();
`;
