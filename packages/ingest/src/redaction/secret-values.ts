// Tells values that are secrets from those that only stand where one may.

/** Defaults, switches and names of what there is a password for, which stand in code and documentation. */
const NO_PASSWORD =
  /^(?:postgres(?:ql)?|mysql|root|admin|user(?:name)?|value|token|enabled|disabled|always|never|prompt|hidden)$|pass(?:word|wd|phrase)|secret|[._/:-]/i;

/** `xxxxxxxx`, `********` */
const ONE_SIGN = /^(.)\1*$/;

/** Letters alone may be a password where nothing else is expected. */
export function isSetting(value: string): boolean {
  return !NO_PASSWORD.test(value) && !ONE_SIGN.test(value);
}

/** Values that are references, placeholders, patterns, packages with a version, users in `/etc/passwd`, algorithms, types or code rather than secrets. */
const NO_SECRET =
  /^(?:\[REDACTED|\[[a-z][\w -]*\]$|env\(|\)\.|\\?\((?:\.\*|\[\^)|['"]{1,2}\$|(?:[a-z]{1,6}\d?[_-]){1,3}\.{3}|demo_key|[a-z][\w.-]*:\d+\.\d+\.|[a-z_][\w.-]*:[x*!]?:\d+:|[a-z_][\w.-]*@[\w.-]+:[~/]|[A-Za-z]:\/|[A-Za-z]{1,8}:\\|[/~]|\$|\{|<|%|process\.|os\.|env\.|import\.|config\.|settings\.|self\.|this\.|props\.|options\.|your[_-]|my[_-]?(?:secret|password|key|token)|example|changeme|change-me|placeholder|redacted|x{3,}|\*{3,}|\.{3}|null|none|undefined|true$|false$|string|number|boolean|(?:big)?u?int\d+(?:clamped)?array|float\d+array|(?:aes|rsa|sha|hmac|ed|ecdsa)-?\d{3,5}(?:-[a-z]{3})?$|required|optional|(?:nullable|sometimes|confirmed|(?:min|max):\d+)(?:\||$))/i;

/** Base64 may begin as a path does. */
const PADDED_KEY = /^(?=[^\d]*\d)[A-Za-z0-9+/]{30,}={1,2}$/;

export function isNoSecret(value: string): boolean {
  return NO_SECRET.test(value) && !PADDED_KEY.test(value);
}

/** Words as dice choose them; what an app says of a password has others, too. And what Apple makes for an app. */
const PASSPHRASE = /^(?:[a-z]{3,}(?: [a-z]{3,}){3,}|[a-z]{4}(?:-[a-z]{4}){3})$/;
const WORDS_OF_LABELS =
  /\b(?:the|and|for|you|your|must|should|not|are|was|has|have|with|from|that|this|than|when|used|using|enter|please|least|characters|words|required|invalid|wrong|pass(?:word|phrase)s?|secrets?|tokens?|keys?)\b/;

export function isPassphrase(value: string): boolean {
  return PASSPHRASE.test(value) && !WORDS_OF_LABELS.test(value);
}

/** What an app shows beside a field: a word with its colon, or a phrase in a language that is written without blanks. */
function isLabel(value: string): boolean {
  return (
    /^[\p{L}\p{M}]+[:?]$/u.test(value) ||
    (/[\u0E00-\u0E7F\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]/.test(value) && !/[\x21-\x7E]{6}/.test(value))
  );
}

/**
 * `auth:get-access-token`: what an app's parts call to each other, of words alone, one of which says what it is about. Of single
 * words (`ada:secret`) it may be a login.
 */
const NAME_OF_ACTION =
  /^(?=.*(?:auth|key|password|secret|token))(?=.*[._-])[a-z]+(?:[._-][a-z]+)*(?::[a-z]+(?:[._-][a-z]+)*)+$/;

/** Does a quoted value look like a secret, not like words or a label? */
export function isQuotedSecret(value: string): boolean {
  if (PADDED_KEY.test(value)) return true;
  if (NO_SECRET.test(value) || ONE_SIGN.test(value) || NAME_OF_ACTION.test(value)) return false;
  const mayBeToken = !/\s/.test(value) && !isLabel(value);
  return isPassphrase(value) || (mayBeToken && (/\d/.test(value) || /[^\p{L}\p{M}\w.\-/]/u.test(value)));
}

/** `15-minute` expiry, a `256-bit` key, and `zod0.ZodString`, a type of a module that a bundler numbered */
const TOLD_OF_SECRET =
  /^(?:\d+-(?:bit|byte|char(?:acter)?|digit|second|minute|hour|day|week|month|year)s?|[a-z_]+\d{1,4}\.[A-Z][A-Za-z]*)$/;

/** Does a bare value look like a secret, not like a word or a piece of code? */
export function isBareSecret(value: string): boolean {
  if (PADDED_KEY.test(value) || isPassphrase(value)) return true;
  const isOfBoth = /\d/.test(value) && /[A-Za-z]/.test(value);
  return (
    isOfBoth &&
    !NO_SECRET.test(value) &&
    !TOLD_OF_SECRET.test(value) &&
    !/[()[\]{}]|::|\/\/|^[./~]/.test(value)
  );
}

/** Does a value look as if nobody had made it up: of digits between letters of both cases, or of many hexadecimal digits? */
export function isRandom(value: string): boolean {
  return (/[a-z]/.test(value) && /[A-Z]/.test(value) && /\d[^\d]+\d/.test(value)) || HEXADECIMAL.test(value);
}

const HEXADECIMAL = /(?=[0-9a-f]{0,20}\d)(?=[0-9a-f]{0,20}[a-f])[0-9a-f]{20}/;

/** `48151623K.q`: few names begin with a number, but for `20240315_AddTills`, and no number has letters of both cases. */
const NUMBER_WITH_LETTERS = /^\d{4,}(?![\d_/\\-])(?=.*[a-z])(?=.*[A-Z])/;

/** Is it a password of letters and digits that is told, not what is told of one? */
export function isSaid(value: string): boolean {
  if (NUMBER_WITH_LETTERS.test(value)) return true;
  return !/^(?:\d|sha|md5|base|utf|(?:n?var)?char|string|bcrypt|pbkdf|argon|scrypt|aes|rsa|oauth|v\d)|[\\/]/i.test(
    value,
  );
}

/** Is it a word that somebody chose as a password, not a name with a number in it or an end of a sentence (`OAuth2Form`, `usuario1?`)? */
export function isChosen(value: string): boolean {
  const isOfBothCases = /[a-z]/.test(value) && /[A-Z]/.test(value);
  return (
    /\w(?:[!@#$%^&~]|[*?]\w)/.test(value) ||
    (isOfBothCases && /\d[a-z]/.test(value)) ||
    NUMBER_WITH_LETTERS.test(value)
  );
}

/** A path or an address, a comparison or a query, a name with its blanks encoded, a revision (`till-2~1`), or where a wallet is. */
const NO_LONE_SECRET =
  /[:@\\]|^[~.]?\/|\/[^/]*\.\w|&&|[!=]=\w|[?&][\w.]+=|%20|(?:%[\dA-F]{2}){2}|~\d+$|^0x[\dA-Fa-f]{40}$/;

/** Is it, said as all there is of an answer to who asked for a secret, that secret? */
export function isLoneSecret(value: string): boolean {
  if (!/^[!-~]{8,500}$/.test(value) || NO_LONE_SECRET.test(value)) return false;
  const runs = value.match(/[A-Za-z0-9]{16,}/g) ?? [];
  const isWithSign = /\d/.test(value) && /[A-Za-z]/.test(value) && /\w[!$%^&~]/.test(value);
  return runs.some(isRandom) || isWithSign || NUMBER_WITH_LETTERS.test(value);
}

/** Is what stands where nothing but a secret is expected one, not a default or a placeholder? */
export function isGivenSecret(value: string): boolean {
  return !isNoSecret(value) && !/[#$]\{|\{\w+\}/.test(value) && (isSetting(value) || isQuotedSecret(value));
}

/** A name and a password, as the header has them. */
export function isBasicAuth(secret: string): boolean {
  return /^[\x20-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/.test(
    Buffer.from(secret, 'base64').toString('latin1'),
  );
}
