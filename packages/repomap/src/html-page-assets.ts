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
  document.getElementById('found').textContent = found.length + ' files';
  grow(0);
}
search.oninput = show;
show();
`;
