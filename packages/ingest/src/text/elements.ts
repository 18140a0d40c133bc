/** The text of the first `<name>` element; a result may itself hold markup, so it ends at the last closing tag. */
export function element(text: string, name: string): string | null {
  const open = text.indexOf(`<${name}>`);
  if (open === -1) return null;
  const start = open + name.length + 2;
  const close = text.lastIndexOf(`</${name}>`);
  return text.slice(start, close >= start ? close : undefined).trim();
}

/** A text without what stands in the element that `element` finds: a result may hold any other. */
export function besideElement(text: string, name: string): string {
  const open = text.indexOf(`<${name}>`);
  return open === -1
    ? text
    : text.slice(0, open) + text.slice(Math.max(open, text.lastIndexOf(`</${name}>`)));
}

/** A text up to the end of its last element of this name: behind it each further one would be followed to the text's end. */
export function untilLastEnd(text: string, name: string): string {
  const end = `</${name}>`;
  const at = text.lastIndexOf(end);
  return at === -1 ? '' : text.slice(0, at + end.length);
}
