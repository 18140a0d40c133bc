import { blanked } from './lines.js';

/** Whether the types of Flow are in this JavaScript, which its grammar does not know. */
export function isFlow(text: string): boolean {
  return PRAGMA.test(text.slice(0, HEAD));
}

const HEAD = 2000;
const PRAGMA = /^[ \t]*(?:\/\*+|\*|\/\/)[ \t]*@(?:no)?flow\b/m;

/** What the grammar of TypeScript can read, of the same length: what Flow alone has is blanked. */
export function readableFlow(text: string): string {
  return FORMS.reduce((left, form) => left.replace(form, blanked), text.replace(TYPEOF, 'type  '));
}

/** `import typeof Store from './Store'` */
const TYPEOF = /(?<=^import )typeof(?=\s)/gm;

/** Each begins with what is rare and looks back from there, which is much quicker than to look back everywhere. */
const FORMS = [
  // `{| name: string |}`
  /(?<=\{)\||\|(?=\})/g,
  // `?string`
  /\?(?<=(?:[:<|&,(=[]|=>)\s{0,80}\?)(?=[\w$({['"*])/g,
  // `{name: string, ...}`
  /\.\.\.(?<=[{,;]\s{0,80}\.\.\.)(?=[,;]?\s{0,80}\})/g,
  // `{+name: string, -[key: string]: number}`, `class Box<+Item>`
  /[+-](?<=[{,;<]\s{0,80}.)(?=[\w$]{1,80}(?:\?? ?:|[,>])|\[\w{1,80}:)/g,
  // `opaque type Id = string`
  /\bopaque(?<=^(?:export |declare ){0,2}opaque)(?= type )/gm,
  // `declare export function parse(text: string): Entry`
  /\bexport(?<=^[ \t]{0,8}declare export)(?= (?!default|\*|\{))/gm,
  // `<Item: Shape>`
  /:(?<=(?:function(?: [\w$]{1,80})?|(?:class|type|interface) [\w$]{1,80}|[=(,]\s{0,80}|^\s{1,80}[\w$]{1,80})<\s{0,80}(?:[\w$]{1,80}(?:: ?[\w$.]{1,80})?,\s{1,80}){0,3}[\w$]{1,80}:) ?[\w$.]{1,80}(?=[,>=\s])/gm,
  // `Event<>`
  /<>(?<=[\w$]<>)/g,
  // `for (const row: any of rows) {`
  /:(?<=\bfor \((?:const|let|var) [\w$]{1,80}:) ?[\w$.]{1,80}(?= of )/g,
  // `(store: any).rows`
  /:(?<=(?:[=(,!&|?:[{.]|\breturn|=>|^)\s{0,80}\([\w$.]{1,80}:) ?[\w$.]{1,80}(?=\)(?!\s{0,80}(?:=>|[{:])))/gm,
];
