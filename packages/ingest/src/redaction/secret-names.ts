// What secrets are called, in the languages of people and of code.

/** What a password is called by people who write other languages. */
export const PASSWORD_WORD =
  '(?:passwort|kennwort|mot de passe|contrase(?:ñ|n\\u0303)a|(?<![dr]e)senha|has[łl]o|пароль|parola|[şs]ifre|mật khẩu|密[码碼]|口令|パスワード|暗証番号|비밀번호|비번|암호|授[权權][码碼]|كلمة (?:المرور|السر)|סיסמה|รหัสผ่าน|पासवर्ड)';

/** What a token or a key is called by them. */
export const TOKEN_WORD =
  '(?:token|토큰|トークン|令牌|токен|jeton|密[钥鑰]|秘[钥鑰]|金[钥鑰]|api ?キー|api ?키)';

/** A name that holds a secret, at the end of an identifier: `API_KEY`, `db.password`, `clientSecret`. */
export const SECRET_NAME =
  '(?:api[ _-]?key|secret(?:[ _-]?(?:key(?:[ _-]?base)?|access[ _-]?key))?|(?:access|auth|refresh|session|id|api|bot|private|security)[ _-]?token|(?<=[_-])pass|passwords?|passwd|pwd|passphrase|private[ _-]?key|(?:access|account|admin|application|auth|encryption|master|pre-?shared|signing|subscription)[ _-]?key|client[ _-]?key[ _-]?data|client[ _-]?secret|authtoken|credentials?|\\bpsk|\\bsshpass(?==))';

/** What stands in each text that says a password's name. */
export const PASSWORD = new RegExp(
  `pass|assw|assphrase|secret|pwd|\\bpw|identified\\s|${PASSWORD_WORD}`,
  'i',
);

/** What is asked for, where somebody's answer may be a secret and no more. */
export const ASKS_FOR_SECRET = new RegExp(
  `\\b(?:keys?|pass(?:word|phrase|code)|pwd|credentials?|secret)\\b|${PASSWORD_WORD}|${TOKEN_WORD}`,
  'i',
);

/**
 * Is a field of this name likely to hold a secret? On a page it may be called by what it is: `#password`, `Password field`.
 * A field called `parola` may hold any word, which is what Italians call so.
 */
export const SECRET_FIELD = new RegExp(
  `(?:${SECRET_NAME}|(?!parola)${PASSWORD_WORD})["')\\]]{0,3}(?:[ _-]?(?:text|input|field|box|entry|for\\b|on\\b|in\\b).{0,80})?$`,
  'i',
);

/** What a text that may hold a secret says of it. Names of keys are written with a blank, a sign or nothing in between. */
export const WORDS_OF_NAMES = [
  'api key|private key|access key|encryption key|master key|signing key|subscription key|client key',
  'admin key|application key|auth key|shared key|app key|_KEY=|_KEY`',
  'assw|passphrase|pwd|psk|_pass|-pass|secret|token|credential|account|oauth|ключ|pw: |pw is |pw ist |pw was',
  '토큰|トークン|令牌|токен|jeton|密钥|密鑰|秘钥|秘鑰|金钥|金鑰|apiキー|api キー|api키|api 키',
  'kennwort|mot de passe|contrase|senha|hasło|haslo|пароль|parola|şifre|sifre|mật khẩu',
  '密码|密碼|口令|パスワード|暗証番号|비밀번호|비번|암호|授权码|授權碼|كلمة |סיסמה|รหัสผ่าน|पासवर्ड',
].flatMap((words) => ['', ' ', '_', '-'].map((sign) => words.replace(/ (?=key(?:\||$))/g, sign)));
