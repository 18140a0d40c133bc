// Secrets that are known by their form, whatever they stand in.
import { anyOf, type RuleFamily, type SecretRule } from '../secret-rule.js';

const KEY_END = '-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----';
const KEY_LINE = '(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment): ?[^\\n\\\\]*)';
const KEY_LINE_BREAK = '(?:[\\s"\'+>|,]|\\\\{1,4}[nr]|\\d+[→:|])*';

/** Up to its end, or, where that is cut off, as far as lines look like a key's: what only mentions a key goes on as text. */
export const PRIVATE_KEY = new RegExp(
  `-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----BEGIN)[\\s\\S]){0,10000}?${KEY_END}|(?:${KEY_LINE_BREAK}${KEY_LINE})*(?:\\s*[A-Za-z0-9+/=]+$)?)`,
  'g',
);

/** A line, but not with the letter of the sign that breaks it from the one before. */
const KEY_PART = '(?<!\\\\)[A-Za-z0-9+/=]';
const KEY_PART_BREAK = `(?:[\\s"'>|,]|\\\\{1,4}[nr]){1,8}`;
/**
 * The end of a key whose beginning is missing, because a search, a program or a cut left it out; its group is what there is of it.
 * It is looked for from its end backwards, or a long text of such lines would be looked through from each.
 */
export const END_OF_PRIVATE_KEY = new RegExp(
  `(?=-----END )(?<=((?:${KEY_PART}{16,80}${KEY_PART_BREAK}){1,500}(?:${KEY_PART}{4,80}${KEY_PART_BREAK}){0,2}))${KEY_END}`,
  'g',
);

/** What stands in a text with such a secret. */
const WORDS = [
  'AKIA|ASIA|A3T|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|npm_|xox|xapp-|sk-ant|whsec|SG.|shpat_|shpca_|shppa_|shpss_|hf_|AIza|zaSy',
  'ghp_|gho_|ghu_|ghs_|ghr_|github_pat|glpat-|glrt-|gldt-|glptt-|glcbt-|glft-|glsoat-|glagent-|glimt-|gloas-|ya29',
  'GOCSPX|1//0|ops_ey|lin_api|T3BlbkFJ|SSWS|hooks.slack|api/webhooks/|webhookb2|webhook/send|open-apis|LS0tLS1CRUdJTi|armor header',
];

/** The same, where a word alone is in most texts. */
const SIGNS = ['\\b[sr]k[-_]', '\\d: ?AA[\\w-]{8}', '[?&]sig=', 'Private-Lines', 'eyJ'];

/** What stands in each text that holds such a secret. */
export const FORM = anyOf(WORDS, SIGNS);

const RULES: readonly SecretRule[] = [
  // `eyJ….eyJ….…`: the first part is bounded, or a text of nothing but beginnings would be looked through from each of them.
  {
    kind: 'jwt',
    pattern: /\beyJ[\w-]{8,5000}\.(?:eyJ[\w-]{8,}\.[\w-]{8,}|[\w-]{0,1000}(?:\.[\w-]{8,}){3})/g,
  },
  // These may stand behind anything, such as `%3D` in a URL.
  { kind: 'aws', pattern: /(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'anthropic', pattern: /sk-ant-[\w-]{24,}/g },
  { kind: 'openai', pattern: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}/g },
  { kind: 'stripe', pattern: /\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{20,}/g },
  // Read off a picture, its second letter may be another.
  { kind: 'google', pattern: /\b(?:AIza[\w-]{35}|A[l1]zaSy[\w-]{33})/g },
  { kind: 'google-oauth', pattern: /\b1\/\/0[\w-]{40,}/g },
  { kind: 'authorization', pattern: /\bSSWS +([\w-]{30,})/g },
  { kind: 'google-oauth', pattern: /\b(?:ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/g },
  {
    kind: 'gitlab',
    pattern: /\bgl(?:pat|rt|dt|ptt|cbt|ft|soat|agent|imt|oas)-[\w-]{20,}/g,
  },
  { kind: 'huggingface', pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { kind: 'github', pattern: /(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})/g },
  {
    kind: 'webhook',
    pattern:
      /\b(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/|webhook\.office\.com\/webhookb2\/|open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/|qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=)([\w/@-]{30,})/g,
  },
  // What begins a private key's file, and is kept so in secrets of Kubernetes.
  {
    kind: 'privatekey',
    pattern:
      /\bLS0tLS1CRUdJTi(?=[A-Za-z0-9+/]{0,40}(?:UFJJVkFUR|BSSVZBVE|QUklWQVRF))[A-Za-z0-9+/]{40,}={0,2}/g,
  },
  // GnuPG shows what it cannot read of a key that is on one line.
  {
    kind: 'privatekey',
    pattern: /\binvalid armor header: ((?:[A-Za-z0-9+/=]{20,}\s{1,3})*[A-Za-z0-9+/=]{20,})/g,
  },
  { kind: 'azure', pattern: /[?&]sig=([A-Za-z0-9%+/]{43,200}={0,2})/g },
  {
    kind: 'privatekey',
    pattern: /\bPrivate-Lines: \d{1,3}\s{1,3}((?:[A-Za-z0-9+/=]{4,64}\s{1,3}){1,99})/g,
  },
  // Read off a picture, a letter of it may be one that no token has, or a blank may stand in it.
  {
    kind: 'telegram',
    pattern:
      /(?<!\d)\d{8,10}: ?AA(?:[\p{L}\d_-]{33}|(?=[\p{L}\d_-]{1,32} [\p{L}\d_-]{1,32}(?![\p{L}\d_-]))[\p{L}\d_ -]{34})(?![\p{L}\d_-])/gu,
  },
];

export const KNOWN_FORMS: RuleFamily = {
  rules: RULES.map((rule) => ({ needs: FORM, ...rule })),
  words: WORDS,
  signs: SIGNS,
};
