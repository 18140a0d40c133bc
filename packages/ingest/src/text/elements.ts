/** The text of the first `<name>` element; a result may itself hold markup, so it ends at the last closing tag. */
export function element(text: string, name: string): string | null {
  const open = text.indexOf(`<${name}>`);
  if (open === -1) return null;
  const start = open + name.length + 2;
  const close = text.lastIndexOf(`</${name}>`);
  return text.slice(start, close > start ? close : undefined).trim();
}
