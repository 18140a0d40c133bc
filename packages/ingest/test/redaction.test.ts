import { openSqlite } from '@causantic/storage';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../src/redaction/redaction.js';
import { expectSameInPieces, ingested, sessionId } from './ingested.js';
import { Recording } from './recording.js';

// Put together here, so that no scanner takes this file for a leak.
const join = (...parts: string[]): string => parts.join('');
const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4hJ6kL8n';

const secrets: [kind: string, text: string, secret: string][] = [
  ['AWS key', '', join('AKIA', 'Q3EGRZ7XJ2LMN4PT')],
  ['AWS secret', 'aws_secret_access_key = ', join('wJalrXUtnFEMI', '/K7MDENG/bPxRfiCY', 'ZXCVBNMASD')],
  ['GitHub token', '', join('ghp_', letters.slice(0, 36))],
  ['GitHub fine-grained token', '', join('github_pat_', `${letters}${letters}x_`.slice(0, 82))],
  ['npm token', '', join('npm_', letters.slice(0, 36))],
  ['npmrc token', '//registry.npmjs.org/:_authToken=', join('0f1e2d3c-', 'aaaa-bbbb-cccc-1234567890ab')],
  ['Slack token', '', join('xoxb', '-123456789012-1234567890123-', letters.slice(0, 24))],
  ['Anthropic key', '', join('sk-ant', '-api03-', letters, letters, 'AA')],
  ['OpenAI key', '', join('sk-', 'proj-', letters, letters)],
  ['Stripe key', '', join('sk_', 'live_', letters.slice(0, 24))],
  ['Google key', '', join('AIza', 'Sy', letters.slice(0, 33))],
  ['key of Bedrock', 'export AWS_BEARER_TOKEN_BEDROCK="', join('bedrock-api-', 'key-', letters, letters)],
  ['Google key read off a picture', '', join('Alza', 'Sy', letters.slice(0, 33))],
  ['GitLab token', '', join('glpat-', letters.slice(0, 20))],
  ['JWT', '', join('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.', letters.slice(0, 30))],
  ['bearer token', 'Authorization: Bearer ', letters],
  ['password in a URL', 'postgres://ada:', 'pr1vate-Pa55'],
  ['password in any URL', 'redis://:', 's3cr3tPassw0rd'],
  ['API key assignment', 'API_KEY=', letters.slice(0, 20)],
  ['quoted password', 'password: "', 'hunter2!forever'],
  ['quoted password on a line of its own', 'const password =\n  "', 'hunter2!forever'],
  ['password below its name', 'Password:\n', 'Tr0ub4dor3x'],
  ['password beside a login', 'Login: admin / Pass: ', 'tillbell33'],
  ['the same in French', 'Identifiant : ada, mdp : ', 'tillbell33'],
  ['password between commas', 'Now with the new shop password, `', 'tillbell33'],
  ['key to which a setting is changed', 'Changing TILL_API_KEY to ', letters],
  ['the same in Russian', '2. Исправление TILL_API_KEY на ', letters],
  ['quoted password with what is said of it', 'password: "', 'hunter2!这是密码'],
  ['environment variable', 'export DB_PASSWORD=', 'Tr0ub4dor3x'],
  ['token in a column', 'Till token:      ', letters],
  ['token in Korean', '토큰: `', letters],
  ['key below its name in Chinese', 'API密钥\n', letters],
  ['key in Chinese', '**密钥**：', 'b7f3a9d2e1c84f60'],
  ['key in Japanese', 'APIキー: ', letters],
  ['hash of a password within a command', 'VALUES (\\$2a\\', join('$12\\$', letters, letters.slice(0, 13))],
  ['what cookies are signed with', "createCookie('till', { secrets: ['", `${letters}abc=`],
  ['what they were signed with before', 'secret: [process.env.TILL, "', 'a1b2c3d4'.repeat(4)],
  ['token that is asked for by its word', 'Authentication: Token ', 'a1b2c3d4'.repeat(5)],
  ['password among aligned settings', 'admin_passwd       = ', 'Tr0ub4dor3x'],
  ['password in a column in French', 'Mot de passe :       ', 'Tr0ub4dor3x'],
  ['JSON secret', '{"clientSecret": "', 'b7f3a9d2e1c84f60'],
  ['JSON secret in a string', 'curl -d "{\\"password\\": \\"', 'Tr0ub4dor3x'],
  ['password of digits in JSON', '{"user": "ada", "password": ', '83619274'],
  ['password of digits in Portuguese', '🔑 Senha: ', '836192'],
  ['password of digits in Chinese', '密码：', '836192'],
  ['password of digits at the end of a sentence', 'Senha: ', '836193.'],
  ['password typed by a test', "await page.getByLabel('Password').fill('", 'hunter2!'],
  ['password typed into a field by its selector', 'page.fill("input[name=password]", "', 'hunter2!'],
  ['password in what is shown of a page', '- textbox "Password" [active] [ref=e7]: ', 'opensesame'],
  ['password in what else is shown of a page', 'uid=1_5 textbox "New password" value="', 'opensesame'],
  ['password that ends like the name of a type', 'password: ', 'tr0ub4dor.Till'],
  ['password of digits in a sentence', 'the password for the till is ', '836192'],
  ['option', 'login --db-password ', 'Tr0ub4dor3x'],
  ['argument', '"args": ["-y", "till", "--api-key", "', letters.slice(0, 20)],
  ['argument in a string', '{\\"args\\": [\\"--token\\",\n  \\"', letters.slice(0, 20)],
  ['API key in a sentence', 'Take my API key: ', letters.slice(0, 20)],
  ['password in SQL', "ALTER ROLE ada WITH PASSWORD '", 'opensesame'],
  ['password in a page in Korean', '- textbox "비밀번호" [ref=e7]: ', 'opensesame'],
  ['password typed by a test in Japanese', "await page.getByLabel('パスワード').fill('", 'hunter2!'],
  ['password typed by its Spanish selector', 'page.fill("input[name=contraseña]", "', 'hunter2!'],
  ['password in MySQL', "CREATE USER 'ada'@'%' IDENTIFIED BY '", 'Tr0ub4dor3x'],
  ['typed constant', 'const apiKey: string = "', letters.slice(0, 20)],
  ['typed field in Python', 'TILL_PASSWORD: str = "', 'tr0ub4do'],
  ['optional field in Python', 'till_api_key: Optional[str] = "', letters.slice(0, 20)],
  ['typed constant in Rust', 'const API_KEY: &str = "', letters.slice(0, 20)],
  ['password in a sentence', 'The password is ', 'Tr0ub4dor3x'],
  ['password in a sentence that tells for what', 'my password for the staging server is ', 'Tr0ub4dor3x'],
  ['password in a short sentence', 'The password’s ', 'Tr0ub4dor3x'],
  ['password in a sentence in Russian', 'зайди на 10.0.0.7 пароль ', '2311Tr0ub.x'],
  ['password in a sentence in Portuguese', 'entre com a senha `', 'tr0ub4dor!'],
  ['password that begins with a date', 'зайди на 10.0.0.7 пароль ', '48151623K.q'],
  ['the same in English', 'The password is ', '48151623K.q'],
  ['password that SSH is given', "run('echo ", "Tr0ub4dor.x | ssh ada@till')"],
  [
    'password that a script makes secure',
    '$p = "',
    'opensesame" | ConvertTo-SecureString -AsPlainText -Force',
  ],
  ['password in a list of arguments', "run(['sshpass', '-p', '", 'Tr0ub4dor.x'],
  ['password of PuTTY', 'echo y | plink -ssh ada@till -pw "', 'Tr0ub4dor.x'],
  ['password in a script of PowerShell', "$pass = '", 'Tr0ub4dor.x'],
  ['password in a script of expect', 'set user "ada"\nset password "', 'Tr0ub4dor.x'],
  ['key that a setting is told to have', 'Set `TILL_KEY`** on the host with value `', 'a1b2c3d4'.repeat(8)],
  ['key between backticks in Russian', 'Контейнер создан с правильным ключом `', letters],
  ['password by a short word', 'user ada, pw: ', 'Tr0ub4dor3x'],
  ['password in bold', '**Password:** ', 'Tr0ub4dor3x'],
  ['mail password', 'SMTP_PASS=', 'Tr0ub4dor3x'],
  ['storage key', 'AccountName=shop;AccountKey=', join(letters, letters, '==')],
  ['token', 'CLOUD_TOKEN=', letters],
  ['token in a query', 'https://example.org/?token=', letters],
  ['token behind an escaped sign', `https://example.org/?token=${letters.slice(5)}%40`, letters],
  ['token for a host', 'Authorization: token ', letters],
  ['password in German', 'Das Passwort: ', 'Tr0ub4dor3x'],
  ['password in French', 'Mot de passe : ', 'Tr0ub4dor3x'],
  ['password in Spanish', 'contraseña = ', 'Tr0ub4dor3x'],
  ['password in Russian', 'Пароль: ', 'Tr0ub4dor3x'],
  ['password in Chinese', '密码：', 'Tr0ub4dor3x'],
  ['password in a sentence in Chinese', '给你sudo权限，密码', 'Tr0ub4dor@3x'],
  ['password in a sentence in Japanese', 'パスワードは', 'Tr0ub4dor3x'],
  ['password in Japanese', 'パスワード：「', 'Tr0ub4dor3x'],
  ['password in Korean', '비밀번호: ', 'Tr0ub4dor3x'],
  ['password behind a full-width sign', 'DB_PASSWORD＝', 'Tr0ub4dor3x'],
  ['token in a URL', 'https://', join(letters, '@example.org')],
  ['Telegram token with a letter misread', '', join('851417', '8494: ', 'AAG', letters.slice(0, 30), 'Øj')],
  [
    'Telegram token in which a blank was read',
    '',
    join('851417', '8494: ', 'AAG', letters.slice(0, 18), ' ', letters.slice(0, 14)),
  ],
  ['password that an expect script sends in a block', 'expect {\n  "password:" {\n    send "', 'Tr0ub4dor3x'],
  ['password that is set', 'The user wants to set the new password to ', 'Tr0ub4dor!x'],
  ['password told with its user', 'user ada pass ', letters.slice(0, 20)],
  ['password of a login', 'I have the login pass ', 'Tr0ub4dor!x'],
  ['password of SSH', '- [x] SSH: root / ', 'Tr0ub4dor3x'],
  ['passwords', '-- Passwords: ', 'Tr0ub4dor!x'],
  ['key of a service in French', 'La clé API Key Till est `', 'a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4'],
  ['key of WhatsApp', '{"noiseKey":{"private":{"type":"Buffer","data":"', join(letters, letters, 'ab=')],
  ['token in a list of credentials', '\n## Credentials (shop)\n- Mail: ada\n- Till: ', join(letters, 'ab12')],
  ['curl’s password', 'curl -s -u ada:', 'Tr0ub4dor3x'],
  ['password with an at sign', 'amqp://ada:', 'pr1v@te-Pa55'],
  ['curl’s password in a continued line', 'curl https://example.org \\\n  -su ada:', 'opensesame'],
  ['one continued as on Windows', 'curl https://example.org \\\r\n  -su ada:', 'opensesame'],
  ['a password of several words', "curl -u 'ada:", 'open sesame now'],
  ['mysql’s password', 'mysqldump -u root -p', 'opensesame'],
  ['a quoted option', 'mysql -u root --password="', 'opensesame'],
  ['docker’s password', 'docker login -u ada -p ', 'Tr0ub4dor3x'],
  ['cookie', 'curl -H "Cookie: theme=dark; sid=', letters],
  ['cookie that is set', '< set-cookie: sid=', letters],
  ['curl’s cookie', "curl -b 'sid=", letters],
  ['a jar of cookies', '#HttpOnly_example.org\tFALSE\t/\tTRUE\t1796000000\tsid\t', letters],
  ['.netrc with line numbers', '1\tmachine example.org\n  2\tlogin ada\n  3\tpassword ', 'opensesame'],
  ['.pgpass', 'db.example.org:5432:*:ada:', 'opensesame'],
  ['kaggle.json', '{"username":"ada","key":"', '0a1b2c3d4e5f60718293a4b5c6d7e8f9'],
  ['words for a connection', 'psql "host=db user=ada password=', 'opensesame'],
  ['a database’s connection', 'Server=db;Database=shop; User Id=ada;Password=', 'opensesame'],
  ['a Wi-Fi password', 'psk="', 'Tr0ub4dor3x'],
  ['a user’s password hash', 'ada:$', join('6$', 'saltsalt', '$', letters, letters, letters.slice(0, 14))],
  ['a newer one', 'ada:$', join('y$j9T$', letters.slice(0, 22), '$', letters, letters.slice(0, 7))],
  ['a bcrypt hash', "INSERT INTO users VALUES ('ada', '$", join('2b$12$', letters, letters.slice(0, 17))],
  ['an Argon2 hash', '$', join('argon2id$v=19$m=65536,t=3,p=4$', letters.slice(0, 22), '$', letters)],
  ['Pinecone key', '', join('pcsk_a1b2c_', letters, letters)],
  ['NVIDIA key', '', join('nvapi-', letters, letters)],
  ['Cursor key', '', join('key_', 'a1b2c3d4'.repeat(8))],
  ['Brave key', '', join('BSA', letters.slice(0, 28))],
  ['Fireworks key', '', join('fw_', letters.slice(0, 24))],
  ['Voyage key', '', join('pa-', letters, 'x_a')],
  ['Modal token', 'modal token set --token-id ', join('ak-', letters.slice(0, 22))],
  ['Twilio key', '', join('SK', 'a1b2c3d4'.repeat(4))],
  ['npm’s name and password', '//npm.example.org/:_auth=', join('YWRhOlRy', 'MHViNGRvcjN4')],
  ['environment variable of letters', 'DB_PASSWORD=', 'opensesame'],
  ['XML password', '<password>', 'Tr0ub4dor3x</password>'],
  ['docker login', '{"auth": "', join('YWRhOlRy', 'MHViNGRvcjN4')],
  ['Groq key', '', join('gsk_', letters, letters)],
  ['PyPI token', '', join('pypi-', 'AgEIcHlwaS5vcmc', letters)],
  ['DigitalOcean token', '', join('dop_v1_', 'a1b2c3d4'.repeat(8))],
  ['Vault token', '', join('hvs.', letters)],
  ['Slack’s token of a browser', '', join('xoxc-', '123456789012-1234567890123-', letters)],
  ['Slack app token', '', join('xapp-1-', 'A0123456789-1234567890123-', 'a1b2c3d4'.repeat(8))],
  ['Figma token', '', join('figd_', letters, 'x_')],
  ['Vercel token', 'deploy --token=', join('vcp_', letters, letters.slice(0, 16))],
  ['Netlify token', '', join('nfp_', letters)],
  ['Cloudflare token', '', join('cfut_', letters)],
  ['Docker token', 'echo ', join('dckr_pat_', letters.slice(0, 27))],
  ['Grafana token', '', join('glsa_', letters.slice(0, 32), '_a1b2c3d4')],
  ['Sentry token', '', join('sntrys_', 'eyJpYXQ', letters, '+/', letters)],
  ['Terraform token', '', join(letters.slice(0, 14), '.atlasv1.', letters, letters)],
  ['Discord token', '', join('MTIzNDU2Nzg5MDEyMzQ1Njc4', '.GAbCdE.', letters.slice(0, 38))],
  ['Discord webhook', 'https://discord.com/api/webhooks/123456789012345678/', join(letters, letters)],
  [
    'WeCom webhook',
    'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=',
    join('a1b2c3d4-', 'a1b2-'.repeat(3), 'a1b2c3d4a1b2'),
  ],
  ['Z.ai key', '', join('a1b2c3d4'.repeat(4), '.', letters.slice(0, 16))],
  ['Context7 key', '', join('ctx7sk-', 'a1b2c3d4-', 'a1b2-'.repeat(3), 'a1b2c3d4a1b2')],
  ['Azure secret', '', join('ab', 'c8Q~', letters.slice(0, 34))],
  ['Azure signature', 'https://x.example.org/c?sp=rl&sig=', join(letters, 'abc%3D')],
  ['1Password key', '', join('A3-', 'ABCDEF-GHJKLM-NPQRS-TUVWX-YZ234-56789')],
  ['encrypted JWT', '', join('eyJhbGciOiJkaXIifQ', `.${letters}`.repeat(4))],
  ['GitHub token in a query', 'x=1%26t%3D', join('ghp_', letters.slice(0, 36))],
  ['Rails key', 'RAILS_MASTER_KEY=', 'a1b2c3d4'.repeat(4)],
  ['Rails secret', 'SECRET_KEY_BASE=', 'a1b2c3d4'.repeat(16)],
  ['kubeconfig key', 'client-key-data: ', join('MIIEpAIBAAKCAQ', letters)],
  ['key of a secret in Kubernetes', 'tls.key: ', join('LS0tLS1CRUdJTiBQUklWQVRFIEtFWS', letters, letters)],
  ['PuTTY key', 'Private-Lines: 1\n', join('AAAAIQC', letters)],
  ['short basic header', 'Authorization: Basic ', 'YWRhOm9wZW4='],
  ['docker’s password without a blank', 'docker login -u ada -p', 'Tr0ub4dor3x'],
  ['openssl’s password', 'openssl rsa -in k.pem -passin pass:', 'opensesame'],
  ['ssh-keygen’s passphrase', "ssh-keygen -t ed25519 -N '", 'opensesame'],
  ['PowerShell’s option', "Set-Till -Password '", 'Tr0ub4dor&3'],
  ['a field of a list in code', 'os.environ["DB_PASSWORD"] = "', 'Tr0ub4dor3x'],
  ['password of a role in SQL', "ALTER USER ada PASSWORD '", 'opensesame'],
  ['secret given to the aws command', 'aws configure set aws_secret_access_key ', letters],
  ['secret in a table of the aws command', '| SecretAccessKey | ', letters],
  ['application key in a header', 'DD-APPLICATION-KEY: ', 'a1b2c3d4'.repeat(5)],
  ['Laravel’s key', 'APP_KEY=', join('base64:', letters, 'abc=')],
  ['Laravel’s key that begins with a slash', 'APP_KEY=base64:', join('/', letters, 'ab=')],
  ['Dropbox token', '', join('sl.', letters, letters, letters)],
  ['password of sshpass in the environment', 'SSHPASS=', 'Tr0ub4dor3x'],
  ['password set for a user in SQL', "SET PASSWORD FOR ada = '", 'Tr0ub4dor3x'],
  ['curl’s password in JSON', 'curl --user \\"ada:', 'Tr0ub4dor3x'],
  [
    'words for a wallet',
    'MNEMONIC="',
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
  ],
  ['registry’s password in Kubernetes', '.dockerconfigjson: ', join('eyJhdXRocyI6eyJyIjp7ImF1', letters)],
  ['private key as JSON', '{"kty":"EC","x":"a","d":"', join(letters, 'abc')],
  ['private key as JSON, its names in order', '{"d":"', join(letters, 'abc","kty":"EC"}')],
  ['Terraform’s default', 'variable "db_password" {\n  default = "', 'Tr0ub4dor3x"'],
  ['Gradle’s password', "storePassword '", 'Tr0ub4dor3x'],
  ['variable in fish', 'set -gx DB_PASSWORD ', 'Tr0ub4dor3x'],
  ['password of a request in Python', 'requests.get(url, auth=("ada", "', 'Tr0ub4dor3x")'],
  [
    'a database’s short password with signs',
    'Data Source=10.0.0.4;Initial Catalog=shop;User ID=sa;Password=',
    'sea.3x,',
  ],
  ['words for a connection with signs', 'psql "host=db user=ada password=', 'sea.3x'],
  ['token in a table', '| **Token** | `', letters],
  ['API key in a table', '| API key | ', letters.slice(0, 24)],
  ['password in a table', '| Role | till |\n| Password | `', 'Tr0ub4dor3x` |'],
  ['API key whose name is in bold', '**The production API key** `', join('till_', 'a1b2c3d4'.repeat(4))],
  ['secret below its label', 'App Secret\n', letters.slice(0, 32)],
  ['what stands in for a variable', "const key = process.env.TILL_SECRET || '", letters.slice(0, 32)],
  ['what else stands in for one', 'password: process.env.DB_PASSWORD ?? "', 'hunter2!"'],
  ['what stands in for one in Python', 'os.environ.get("DB_PASSWORD") or "', 'hunter2!'],
  ['password of a login', 'Log in as `ada@example.org` / `', 'TestTill123!'],
  ['password of a login in a sentence', 'my user is ada@example.org and password ', 'Tr0ub4dor3x'],
  ['password of a login by a short word', 'ada@example.org  pass: ', 'Tr0ub4dor$3x$'],
  ['words joined by a colon', "password: '", "ada:secret'"],
  ['password of who sends mail', "auth: { user: 'ada@example.org', pass: '", 'till-mail-3x'],
  ['the same as JSON in a string', '{\\"user\\":\\"ada\\",\\"pass\\":\\"', 'till-mail-3x'],
  ['Google’s password for an app', "user: 'ada@example.org',\n  pass: '", "abcd efgh ijkl mnop'"],
  ['what expect answers', 'expect "*?assword:*"\nsend "', 'open#sesame\\r"'],
  ['variable in a list of YAML', '- name: DB_PASSWORD\n  value: ', 'Tr0ub4dor3x'],
  ['value of a setting on a page', '- **Name**: `TILL_SECRET`\n   - **Value**: `', join(letters, 'ab12')],
  ['the same in Spanish', '**Nombre:** `TILL_API_KEY`  \n**Valor:** ', 'Tr0ub4dor3x'],
  ['value of a named field in JSON', '{"name": "password",\n  "value": "', 'Tr0ub4dor3x'],
  ['Apify token', '', join('apify_', 'api_', letters)],
  ['Ref key', '', join('ref-', 'a1b2c3d4'.repeat(3).slice(0, 20))],
  ['Telegram token', 'https://api.telegram.org/bot', join('123456789', ':AA', letters.slice(0, 33))],
  ['Weights & Biases key', 'API是', join('wandb_', 'v1_', letters, letters)],
  ['password by its everyday word in Korean', '아이디 ada 비번 ', 'tr0ub4dor^^'],
  ['what a mail service in China gives a program', '授权码 ', letters.slice(0, 16)],
  ['the same of letters', '我的授权码是：', 'abcdefghijklmnop'],
  ['password quoted in a sentence', 'Found it. Your password `', 'Tr0ub4dor!`'],
  [
    'key told of in words',
    'and the SerpAPI key which comes with 250 searches a month ',
    'a1b2c3d4'.repeat(8),
  ],
  ['token where the environment has none', 'T = os.getenv("Till_Token", "', letters.slice(0, 32)],
  ['key among keys', "api_keys=['", letters.slice(0, 32)],
  ['key behind another', 'API_KEYS = [KEY, "', 'a1b2c3d4'.repeat(4)],
  ['password behind its login', '- Login credentials: `ada0181` / `', 'tr0ub4dor`'],
  ['token in a sentence', 'The gateway’s auth token is `', 'a1b2c3d4'.repeat(6)],
  ['a product’s licence', 'licence = "', `${letters}=${letters}`],
  ['Duffel token', '', join('duffel_', 'live_', letters, 'x_a')],
  ['EasyPost key', '', join('EZ', 'AK', letters, letters.slice(0, 14))],
  ['Fly.io’s organisation token', '', join('fo1_', letters, 'x_a')],
  [
    'Harness token',
    '',
    join('pat.', letters.slice(0, 22), '.', 'a1b2c3d4'.repeat(3), '.', letters.slice(0, 20)),
  ],
  ['Infracost key', '', join('ico-', letters.slice(0, 32))],
  ['OpenShift token', '', join('sha256~', letters, 'x_a')],
  ['ReadMe key', '', join('rdme_', 'a1b2c3d4'.repeat(9).slice(0, 70))],
  ['Brevo key', '', join('xkeysib-', 'a1b2c3d4'.repeat(8), '-', letters.slice(0, 16))],
  ['Shippo token', '', join('shippo_', 'live_', 'a1b2c3d4'.repeat(5))],
  ['Square token', '', join('EAAA', letters, letters.slice(0, 20))],
  ['Scalingo token', '', join('tk-us-', letters, letters.slice(0, 8))],
  ['Plaid token', '', join('access-', 'sandbox-a1b2c3d4-', 'a1b2-'.repeat(3), 'a1b2c3d4a1b2')],
  [
    'token of a swarm',
    '',
    join('SWMTKN-', '1-', 'a1b2c3d4'.repeat(6), 'ab-', letters.toLowerCase().slice(0, 25)),
  ],
  [
    'token of a k3s server',
    'K3S_TOKEN=',
    join('K10', 'a1b2c3d4'.repeat(8), '::server:', 'a1b2c3d4'.repeat(4)),
  ],
  ['Adobe secret', '', join('p8e-', 'a1b2c3d4'.repeat(4))],
  ['Adafruit key', '', join('aio_', letters.slice(0, 28))],
  ['Flutterwave key', '', join('FLW', 'SECK_TEST-', 'a1b2c3d4'.repeat(4))],
  ['Frame.io token', '', join('fio-', 'u-', letters, letters.slice(0, 24))],
  ['Octopus key', '', join('API-', 'A1B2C3D4'.repeat(4).slice(0, 26))],
  ['MaxMind key', '', join(letters.slice(0, 6), '_', letters.slice(0, 29), '_mmk')],
  ['New Relic’s key for data', '', join('NRII-', letters.slice(0, 32))],
  ['New Relic’s licence', 'NEW_RELIC_LICENSE_KEY=', join('a1b2c3d4'.repeat(5).slice(4), 'NRAL')],
  ['ClickHouse key', '', join('4b1d', letters.slice(0, 38))],
  ['Yandex key', '', join('AQVN', letters.slice(0, 36))],
  ['key that begins like a path', 'PresharedKey = ', `/${letters}ab=`],
  ['key of a name that tells little', 'FERNET_KEY=', `${letters}abc=`],
  ['Apple’s password for an app', 'notarytool submit till.zip --password ', 'abcd-efgh-ijkl-mnop'],
  ['what Bundler is given', 'BUNDLE_GEMS__EXAMPLE__ORG=ada:', 'opensesame'],
  ['key given to wandb', 'wandb login ', 'a1b2c3d4'.repeat(5)],
  [
    'private key',
    '',
    join(
      '-----BEGIN RSA PRIVATE',
      ' KEY-----\nMIIEow',
      letters,
      '\n',
      letters,
      '\n-----END RSA PRIVATE',
      ' KEY-----',
    ),
  ],
  ['cut-off private key', '', join('-----BEGIN OPENSSH PRIVATE', ' KEY-----\nb3BlbnNzaC1rZXk', letters)],
  ['key that GnuPG does not read', 'gpg: invalid armor header: ', join('lQcYB', letters, ' ', letters)],
];

const url = (prefix: string): string =>
  prefix.includes('://') && prefix.endsWith(':') ? '@db.example.org/shop' : '';

describe('secrets are never stored', () => {
  it.each(secrets)('%s', (_kind, prefix, secret) => {
    const text = `before ${prefix}${secret}${url(prefix)} after`;
    const { store, report } = ingested(
      new Recording(sessionId(1))
        .user(text)
        .answer(text)
        .assistant([{ type: 'thinking', thinking: text }])
        .call('t1', 'Bash', { command: text, description: text })
        .result('t1', `${'x\n'.repeat(6000)}${text}`)
        .call('t2', 'Edit', { file_path: 'a', old_string: text, new_string: `${text}!` })
        .result('t2', text, {}, { is_error: true })
        .user(text, { isMeta: true })
        .raw(JSON.stringify({ type: 'custom-title', customTitle: text })),
    );
    const stored = JSON.stringify(store.contents());
    for (const line of secret.split('\n').filter((part) => !part.startsWith('-----'))) {
      // As a boolean: a failure should not print the store.
      expect(stored.includes(JSON.stringify(line).slice(1, -1))).toBe(false);
    }
    expect(store.text()).toMatch(/\[REDACTED:[\w-]+\]/);
    expect(store.saidBy('user')[0]).toMatch(/^before/);
    expect(Object.values(report.redactions).reduce((a, b) => a + b, 0)).toBeGreaterThanOrEqual(6);
  });

  it.each(['\n', '\r\n'])('a value of letters in YAML, at the end of its line: %j', (lineEnd) => {
    const text = 'environment:\n  MYSQL_ROOT_PASSWORD: opensesame\n  LANG: de';
    const { store } = ingested(new Recording(sessionId(1)).user(text.replaceAll('\n', lineEnd)));
    expect(store.saidBy('user')).toEqual([text.replace('opensesame', '[REDACTED:assignment]')]);
  });

  it.each([
    ['echo opensesame | docker login -u ada --password-stdin'],
    ["printf '%s' 'opensesame' | helm registry login example.org --password-stdin"],
    ['echo -n "opensesame" | sudo -S apt-get update'],
    ['echo "ada:opensesame" | sudo chpasswd'],
    ['echo opensesame | ssh ada@till.example.org "sudo -S reboot"'],
    ['htpasswd -bc /etc/nginx/.htpasswd ada opensesame'],
    ['htpasswd -B -b users ada opensesame && systemctl reload nginx'],
    ['docker run httpd htpasswd -nb ada opensesame'],
    ["sqlcmd -S db -U sa -P 'opensesame' -Q 'SELECT 1'"],
    ['unzip -P opensesame till.zip'],
    ['7z x -popensesame till.7z'],
    ['mosquitto_pub -h h -u ada -P opensesame -t till'],
    ['ldapsearch -D cn=admin -w opensesame -b dc=example'],
    ['smbclient //srv/till -U ada%opensesame'],
    ['mysqladmin -u root password opensesame'],
    ['nmcli dev wifi connect shop password opensesame'],
    ['rabbitmqctl add_user ada opensesame'],
    ['helm registry login example.org -u ada -p opensesame'],
    ['gh secret set TILL --body "opensesame"'],
    ['http -a ada:opensesame https://example.org'],
    ['lftp -u ada,opensesame ftp.example.org'],
    ['xfreerdp /u:ada /p:opensesame /v:till'],
    ['sqlplus ada/opensesame@till'],
    ['wpa_passphrase shop opensesame'],
    ['keytool -list -storepass opensesame'],
    ['twine upload -u ada -p opensesame dist/*'],
    ['echo opensesame | passwd --stdin ada'],
    ['echo -n opensesame | gcloud secrets create till --data-file=-'],
    ['az keyvault secret set --name till --value opensesame'],
    ['aws secretsmanager create-secret --name till --secret-string opensesame'],
    ['aws ssm put-parameter --type SecureString --name till --value opensesame'],
    ['vault kv put secret/till value=opensesame'],
    ['ngrok config add-authtoken opensesameopensesame'],
    ['echo opensesame | gh secret set TILL'],
    ['wrangler secret put TILL <<< opensesame'],
    ['kubectl create secret generic till --from-literal=user=$U --from-literal=till=opensesame'],
    ['kubectl create secret generic till \\\n  --from-literal=till=opensesame'],
    ['supabase secrets set MODE="$MODE" TILL=opensesame'],
    ["fly secrets set 'TILL=opensesame' --app shop"],
    ['fly secrets set --app shop \\\n  TILL=opensesame'],
    ["fly secrets import --app shop <<'EOF'\n# of the shop\n\nTILL=opensesame\nEOF"],
    ['flyctl secrets import <<EOF\nMODE=$MODE\nTILL=opensesame\nEOF'],
    ['cat <<EOF | fly secrets import --stage\nexport TILL="opensesame"\nEOF'],
    ['fly secrets import <<< "TILL=opensesame"'],
    ["printf 'MODE=%s\\nTILL=opensesame\\n' | fly secrets import"],
    ['echo TILL=opensesame | fly secrets import -a shop'],
    ["doppler secrets set TILL 'opensesame'"],
    ['doppler secrets set --project shop -c dev TILL opensesame --silent'],
    ['echo opensesame | doppler secrets set TILL'],
    ['doppler secrets set TILL <<< opensesame'],
    ['pulumi config set --stack shop --secret till opensesame'],
    ['pulumi config set shop:till opensesame --secret'],
    ['pulumi config set --secret -s shop till "opensesame" # rings'],
    ['composer config --global http-basic.shop.example.org ada opensesame'],
    ['composer config gitlab-token.gitlab.example.org opensesame'],
    ['composer config bitbucket-oauth.bitbucket.org drawer opensesame --global'],
    ['useradd -m -p opensesame -s /bin/bash ada'],
    ['usermod --password "opensesame" ada'],
    ["useradd -p $(openssl passwd -6 -salt x1 'opensesame') ada"],
    ['openssl passwd -1 opensesame'],
    ['openssl passwd -6 -stdin <<< opensesame'],
    ['echo opensesame | openssl passwd -6 -stdin'],
    ['net use T: \\\\till\\share opensesame /user:SHOP\\ada'],
    ['net use \\\\till\\share /user:ada opensesame /persistent:yes'],
    ["printf 'ada:opensesame\\n' | chpasswd"],
    ['chpasswd <<EOF\nada:opensesame\nEOF'],
    ['yes opensesame | passwd ada'],
    ['echo opensesame | vncpasswd -f'],
    ['$p = ConvertTo-SecureString -AsPlainText "opensesame" -Force'],
  ])('a password that its place in a command tells: %s', (command) => {
    const { store } = ingested(
      new Recording(sessionId(1)).user('go').call('t', 'Bash', { command }).result('t', 'done'),
    );
    expect(store.text()).toContain(command.replace(/(?:opensesame)+/, '[REDACTED:command]'));
  });

  it.each([
    'composer config --global --auth custom-headers.shop.example.org "Till: opensesame"',
    'composer config custom-headers.shop.example.org "Shop: $SHOP" \'Till: opensesame\'',
    'composer config custom-headers.shop.example.org "Authorization: Bearer opensesame"',
    '{"custom-headers": {"shop.example.org": ["Shop: $SHOP", "Till: opensesame"]}}',
  ])('a header that Composer sends: %s', (text) => {
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual([text.replace('opensesame', '[REDACTED:header]')]);
  });

  it.each([
    ["define( 'DB_PASSWORD', 'Tr0ub4dor3' );", 'assignment'],
    ['<add key="Db.Password" value="Tr0ub4dor3" />', 'assignment'],
    ['net user ada Tr0ub4dor3 /add', 'command'],
    ["$u = 'ada'\n$s = 'Tr0ub4dor3'\nplink -pw $s ada@till", 'password'],
    ['$s="Tr0ub4dor3"; $t = ConvertTo-SecureString $s -AsPlainText -Force', 'password'],
    ["await bcrypt.hash('Tr0ub4dor3', 12)", 'password'],
    ["argon2.hash('Tr0ub4dor3')", 'password'],
    ["'hash' => Hash::make('Tr0ub4dor3'),", 'password'],
    ['user.hash = generate_password_hash("Tr0ub4dor3")', 'password'],
    ['user.set_password("Tr0ub4dor3")', 'password'],
    ['Tr0ub4dor3 is the password to this computer', 'password'],
    ['and Tr0ub4dor3 is our wifi password.', 'password'],
  ])('a password in the midst of code, a setting or a command: %s', (text, kind) => {
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual([text.replace('Tr0ub4dor3', `[REDACTED:${kind}]`)]);
  });

  it.each([
    'const password = "correct horse battery staple";',
    "gpg --passphrase 'correct horse battery staple' -c till.ts",
    '{"passphrase": "correct horse battery staple"}',
  ])('a passphrase: %s', (text) => {
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual([
      text.replace('correct horse battery staple', '[REDACTED:assignment]'),
    ]);
  });

  it.each([
    ['echo -e "opensesame\\nopensesame" | passwd ada', 'echo -e "[REDACTED:command]" | passwd ada'],
    ['(echo opensesame; echo opensesame) | smbpasswd -s ada', '(echo [REDACTED:command]) | smbpasswd -s ada'],
    ['echo well; echo opensesame | vncpasswd -f', 'echo well; echo [REDACTED:command] | vncpasswd -f'],
  ])('a password that is given twice, and what is not one: %s', (command, shown) => {
    const { store } = ingested(
      new Recording(sessionId(1)).user('go').call('t', 'Bash', { command }).result('t', 'done'),
    );
    expect(store.text()).toContain(shown);
  });

  it('a password of digits that is told before what it is', () => {
    const { store } = ingested(new Recording(sessionId(1)).user('836192 is the password for the till'));
    expect(store.saidBy('user')).toEqual(['[REDACTED:password] is the password for the till']);
  });

  it.each([
    ['password: hunter2', 'hunter2'],
    ['Log in with user=ada password=hunter2', 'hunter2'],
  ])('a short password where the line ends: %s', (text, secret) => {
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual([text.replace(secret, '[REDACTED:password]')]);
  });

  // Of each, `opensesame` and its Base64 must go, and the same in what is no Secret must stay.
  const base64 = 'b3BlbnNlc2FtZQ==';
  it.each([
    ['as it is written', `apiVersion: v1\nkind: Secret\ntype: Opaque\ndata:\n  till: ${base64}`],
    ['as kubectl shows it', `data:\n  till: "${base64}"  # shop\nkind: Secret\nmetadata:\n  name: till`],
    ['in plain text', 'kind: Secret\nstringData:\n  till: opensesame'],
    ['of several lines', 'kind: Secret\nstringData:\n  till: |\n    a: 1\n\n    opensesame\ntype: Opaque'],
    ['shown with numbers', `     1→kind: Secret\n     2→data:\n     3→  till: ${base64}`],
    ['in a diff', `+kind: Secret\n data:\n-  till: old\n+  till: ${base64}`],
    ['of a template', `kind: Secret\n{{- if .x }}\ndata:\n  till: ${base64}\n{{- end }}`],
    ['in a list', `items:\n- data:\n    till: ${base64}\n  kind: Secret\nkind: List`],
    ['as JSON', `{"kind": "Secret", "metadata": {"name": "till"}, "data": {"till": "${base64}"}}`],
    ['as kubectl shows JSON', `{"items": [{"data": {"till": "${base64}"}, "kind": "Secret"}]}`],
    ['as JSON in a note', `note: {\\"data\\":{\\"till\\":\\"${base64}\\"},\\"kind\\":\\"Secret\\"}`],
    ['as JSON that is cut off', `"data": {"till": "${base64}"}, "kind": "Secret"}, {"kind": "Pod"`],
    ['in code', "apply({ kind: 'Secret', stringData: { till: 'opensesame' } })"],
  ])('a Secret of Kubernetes %s', (_how, text) => {
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual([
      expect.stringMatching(/^(?![^]*(?:opensesame|b3Blb))[^]*\[REDACTED:kubernetes\]/),
    ]);
  });

  it('each text of a Secret as one, and not its name', () => {
    const secret = (first: string, second: string): string =>
      `apiVersion: v1\nkind: Secret\nstringData:\n  till.conf: |\n    ${first}\n  drawer.conf: |\n    ${second}\n`;
    const mark = '[REDACTED:kubernetes]';
    const cleaned = new Redactor().clean(secret('open = sesame\n    shut = simsim', 'oil = olive'));
    expect(cleaned).toBe(secret(mark, mark));
  });

  it('but not what stands beside a Secret', () => {
    const map = `kind: ConfigMap\ndata:\n  till: ${base64}\n`;
    const secret = `kind: Secret\ndata:\n  till: ${base64}\n`;
    const json = `{"kind":"Secret","data":{"till":"${base64}"}},`;
    const jsonMap = `{"kind":"ConfigMap","data":{"till":"${base64}"}}`;
    for (const text of [
      `${map}---\n${secret}`,
      `${map}${secret}${map}`,
      `- data:\n    till: ${base64}\n- kind: Secret\n`,
    ])
      expect(new Redactor().clean(text)).toBe(
        text.replace(secret, secret.replace(base64, '[REDACTED:kubernetes]')),
      );
    expect(new Redactor().clean(json + jsonMap)).toBe(
      json.replace(base64, '[REDACTED:kubernetes]') + jsonMap,
    );
  });

  it.each([
    ['"schema_version": 0, "attributes": {"tags": {"a": "b"}, "master_password": "opensesame"}', 'terraform'],
    ['"schema_version": 0,\n "values": {"secret_string": "opensesame"}', 'terraform'],
    ['"schema_version": 3, "attributes": {"bcrypt_hash": "x", "result": "opensesame"}', 'terraform'],
    ['"outputs": {"db": {"value": "opensesame", "type": "string", "sensitive": true}}', 'terraform'],
    ['{"db": {"sensitive": true,\n "type": "string",\n "value": "opensesame"}}', 'terraform'],
    ["INSERT INTO users (name, password, age) VALUES ('ada', 'opensesame', 36)", 'sql'],
    ["insert into `users` (`password`)\nvalues ('$2'), (NULL), (crypt('opensesame', gen_salt('bf')))", 'sql'],
    ['db.run("INSERT INTO keys (id, api_key) VALUES (f(1, (2)), \\"opensesame\\")")', 'sql'],
    ["UPDATE users SET age = 36, password = 'opensesame' WHERE id = 1", 'password'],
    ["CREATE ROLE ada WITH LOGIN SUPERUSER PASSWORD 'opensesame'", 'password'],
    ["ALTER LOGIN ada WITH PASSWORD = N'opensesame'", 'password'],
    ["SET PASSWORD = 'opensesame'", 'password'],
    ['CREATE USER ada IDENTIFIED BY opensesame DEFAULT TABLESPACE till', 'password'],
  ])('what its place in a record or a statement tells: %s', (text, kind) => {
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual([text.replace('opensesame', `[REDACTED:${kind}]`)]);
  });

  it('in what is remembered between two runs', () => {
    const secret = secrets[2]![2];
    const text = `look ${secret}`;
    const input = { prompt: text, description: text, name: text, subject: text, file_path: text };
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('go')
        .call('t1', 'Task', input)
        .call('t2', 'TaskCreate', input)
        .result('t2', 'Task #1')
        .queue('enqueue', text)
        .queue('enqueue', letters)
        .queue('enqueue', 'no\n2. tr0ub4dor!')
        .user('next'),
    );
    const { state } = store.store.transcripts.checkpoint(store.transcriptPaths()[0]!)!;
    expect(state).toContain('look [REDACTED');
    expect(state).not.toContain(secret);
    expect(state).not.toContain(letters);
    expect(state).not.toContain('tr0ub4dor');
  });

  it('each of the passwords that a script of PowerShell keeps before it gives them', () => {
    const { store } = ingested(
      new Recording(sessionId(1)).user(
        "$s = 'Tr0ub4dor3'; $t = 'Tr0ub4dor4'; plink -pw $s a; plink -pw $t b",
      ),
    );
    expect(store.saidBy('user')).toEqual([
      "$s = '[REDACTED:password]'; $t = '[REDACTED:password]'; plink -pw $s a; plink -pw $t b",
    ]);
  });

  it('a token of npm’s that begins as a path or a placeholder does', () => {
    for (const begin of ['/', 'none']) {
      const token = `${begin}${letters.slice(0, 32)}`;
      const { store } = ingested(new Recording(sessionId(1)).user(`//npm.example.org/:_authToken=${token}`));
      expect(store.text()).not.toContain(token);
    }
  });

  it.each(['plink.exe -ssh ada@till reboot', 'ssh ada@till sh'])(
    'a password that is given to %s',
    (command) => {
      const { store } = ingested(new Recording(sessionId(1)).user(`echo 'Tr0ub4dor!3x' | ${command}`));
      expect(store.saidBy('user')).toEqual([`echo '[REDACTED:command]' | ${command}`]);
    },
  );

  it.each([
    'aws configure get aws_secret_access_key',
    'openssl rand -base64 32',
    'gh auth token',
    'heroku auth:token',
    'gcloud auth print-access-token',
    'security find-generic-password -s till -w',
    'secret-tool lookup till key',
    'pass show till/key',
    'op read op://till/key',
    "kubectl get secret till -o jsonpath='{.data.key}' | base64 -d",
  ])('what is printed by %s, which nothing else tells to be a secret', (command) => {
    const { store } = ingested(
      new Recording(sessionId(1)).user('go on').call('b', 'Bash', { command }).result('b', `${letters}\n`),
    );
    expect(JSON.stringify(store.contents()).includes(letters)).toBe(false);
  });

  it('a header in a tool’s input', () => {
    const headers = { Cookie: `theme=dark; sid=${letters}`, Authorization: letters };
    const { store } = ingested(
      new Recording(sessionId(1)).user('go').call('t', 'mcp__http__get', { url: 'x', headers }),
    );
    expect(store.text()).toContain('theme=dark; sid=[REDACTED:cookie]');
    expect(store.text()).not.toContain(letters);
  });

  it('a field of a tool’s input that is named like a secret', () => {
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('go')
        .call('t', 'mcp__mail__login', { user: 7361927, password: 'opensesame', api_key: 'abcdefgh' })
        .call('u', 'mcp__mail__login', {
          account_key: 7361927,
          db_password: 83619274,
          passphrase: 'correct horse battery staple',
        }),
    );
    expect(store.text()).toContain('user: 7361927');
    expect(store.text()).toContain('account_key: 7361927');
    expect(store.text()).not.toMatch(/opensesame|abcdefgh|83619274|horse/);
  });

  it.each([
    { element: 'Password field', ref: 'e12', text: 'opensesame' },
    { element: "'Confirm password' textbox", text: 'opensesame' },
    { selector: '#loginPassword', value: 'opensesame' },
    { selector: "input[name='password']", value: 'opensesame' },
    { fields: [{ name: 'Password', type: 'textbox', value: 'opensesame' }] },
    { element: '비밀번호', text: 'opensesame' },
    { fields: [{ name: '确认密码', type: 'textbox', value: 'opensesame' }] },
    { element: 'Passwort field', text: 'opensesame' },
  ])('what is typed into a field of a page: %j', (input) => {
    const { store } = ingested(new Recording(sessionId(1)).user('go').call('t', 'mcp__page__type', input));
    expect(store.text()).not.toContain('opensesame');
    expect(store.text()).toMatch(/passwor[dt]|비밀번호|密码/i);
  });

  it.each([
    { element: 'Search box', text: 'opensesame' },
    { element: 'Reset password link', text: 'opensesame' },
    { element: 'Email field to reset the password by', text: 'ada@example.org' },
    { key: 'PASSWORD_POLICY', value: 'opensesame' },
    { name: 'parola', value: 'opensesame' },
    { element: '비밀번호 찾기', text: 'opensesame' },
    { name: 'Password field', description: 'opensesame', value: 'not set' },
    { command: 'ls', pwd: '/home/ada/till' },
    { command: 'dir', pwd: 'C:\\Users\\ada' },
    { password: 'none' },
  ])('but not what is typed elsewhere: %j', (input) => {
    const { report } = ingested(new Recording(sessionId(1)).user('go').call('t', 'mcp__page__type', input));
    expect(report.redactions).toEqual({});
  });

  it('a value in a tool’s input that is named beside it, or by the argument before it', () => {
    const { store } = ingested(
      new Recording(sessionId(1)).user('go').call('t', 'mcp__browser__fill', {
        args: ['-y', 'till', '--api-key', letters.slice(0, 20)],
        fields: [
          { name: 'User', value: 'ada' },
          { name: 'Password', type: 'textbox', value: 'opensesame' },
        ],
        headers: [{ key: 'Authorization', value: letters }],
      }),
    );
    expect(store.text()).toContain('args: ["-y","till","--api-key","[REDACTED:assignment]"]');
    expect(store.text()).toContain('{"name":"User","value":"ada"}');
    expect(store.text()).not.toMatch(new RegExp(`opensesame|${letters.slice(0, 20)}`));
  });

  it('a token that ends a sentence, as a whole', () => {
    const { store } = ingested(
      new Recording(sessionId(1)).user(`Send the auth token ${letters}-x4Y. Then open.`),
    );
    expect(store.saidBy('user')).toEqual(['Send the auth token [REDACTED:token]. Then open.']);
  });

  it('a secret of which a part looks like another', () => {
    const { store } = ingested(new Recording(sessionId(1)).user(`password="${secrets[0]![2]}-opensesame9"`));
    expect(store.text()).toBe('User: password="[REDACTED:assignment]"');
  });

  it('a secret that stands where a long result is cut', () => {
    const secret = secrets[2]![2];
    for (let at = 700; at < 860; at += 10) {
      const { store } = ingested(
        new Recording(sessionId(1))
          .user('go')
          .call('t', 'Bash', { command: 'x' })
          .result('t', `${'y'.repeat(at)} ${secret} ${'z '.repeat(8000)}`),
      );
      expect(store.text()).not.toContain(secret.slice(0, 12));
    }
  });

  it.each([
    'export AWS_SESSION_TOKEN="IQoJ"',
    '{"refresh_token": "IQoJ"}',
    'the token=IQoJ',
    'till login --api-key IQoJ',
    'Cookie: sid=IQoJ; sid2=IQoJ',
    '#HttpOnly_example.org\tFALSE\t/\tTRUE\t1796000000\tsid\tIQoJ',
    '<token>IQoJ</token>',
  ])('a secret of some thousand characters: %s', (text) => {
    const { store } = ingested(
      new Recording(sessionId(1)).user(text.replaceAll('IQoJ', letters.repeat(100))),
    );
    expect(store.text()).not.toContain(letters);
  });

  it.each([
    ['Mail__Pass=abcd efgh ijkl mnop\nMODE=dev', 'Mail__Pass=[REDACTED:password]\nMODE=dev'],
    ["curl -u 'ada:Tr0ub$4dor' example.org", "curl -u 'ada:[REDACTED:curl]' example.org"],
    ['curl -u "ada:Tr0ub\\$4dor\\$" example.org', 'curl -u "ada:[REDACTED:curl]" example.org'],
    ['DB_PASSWORD="${DB_PASSWORD:-Tr0ub4dor!x}"', 'DB_PASSWORD="${DB_PASSWORD:-[REDACTED:assignment]}"'],
  ])('a password as a whole, and nothing beside it: %s', (text, stored) => {
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual([stored]);
  });

  it('a password at the end of a line below a heading that tells of credentials', () => {
    const text =
      '### Credentials\n- **DB:** `shop` / `ada` / `Tr0ub4dor!x`\n- Mail: shop / ada / Tr0ub4dor!x';
    const { store } = ingested(new Recording(sessionId(1)).user(`${text}\n\n## Paths\n- a / b / till2!x`));
    expect(store.saidBy('user')).toEqual([
      `${text.replaceAll('Tr0ub4dor!x', '[REDACTED:password]')}\n\n## Paths\n- a / b / till2!x`,
    ]);
  });

  it('a token that a terminal broke into lines, and not the line behind it', () => {
    const token = join('github_', 'pat_', letters, letters);
    const text = `TILL=${token}\n    ${letters}\n    ${letters}\nNAME=TillOfAda2And3\nTillOfAda2And3`;
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual(['TILL=[REDACTED:github]\nNAME=TillOfAda2And3\nTillOfAda2And3']);
  });

  it('a password behind which something is said of it in brackets', () => {
    const { store } = ingested(new Recording(sessionId(1)).user('password: Tr0ub4dor3(old)'));
    expect(store.saidBy('user')).toEqual(['password: [REDACTED:assignment](old)']);
  });

  it('not the file that is named below a token', () => {
    const file = 'src/Till2/Drawer3.test.ts';
    const { store } = ingested(
      new Recording(sessionId(1)).user(`TILL=${join('ghp_', letters)}\n${file}\n${file}`),
    );
    expect(store.saidBy('user')).toEqual([`TILL=[REDACTED:github]\n${file}\n${file}`]);
  });

  it('nor a long word below it that nobody made up', () => {
    const text = `TILL=${join('ghp_', letters)}\nrepositories\nand drawers`;
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual(['TILL=[REDACTED:github]\nrepositories\nand drawers']);
  });

  it('a token in quotes that a window broke into lines, however little of it stands in the first', () => {
    const jwt = join('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.', letters);
    const text = `Till2Token="${jwt.slice(0, 24)}\r\n${jwt.slice(24, 60)}\r\n${jwt.slice(60)}", Name="ada"`;
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual(['Till2Token="[REDACTED:token]", Name="ada"']);
  });

  it('nor where the first line has but some letters of it', () => {
    const text = `{"refresh_token": "Vw${letters.slice(0, 9)}\n${letters}", "till": 2}`;
    const { store } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual(['{"refresh_token": "[REDACTED:assignment]", "till": 2}']);
  });

  it.each([
    (value: string) => `${value} is the till's client secret, I copied it`,
    (value: string) => `${value} this is our secret, till2`,
    (value: string) => `${value} is the access token for the till`,
    (value: string) => `this is the TillAPI ${value}`,
  ])('a token that is told to be one: %s', (told) => {
    const { store } = ingested(new Recording(sessionId(1)).user(told('a1b2c3d4'.repeat(4))));
    expect(store.saidBy('user')).toEqual([told('[REDACTED:token]')]);
  });

  it('a secret of some thousand characters that ends where a long result goes on', () => {
    const secret = letters.repeat(90);
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('go')
        .call('t', 'Bash', { command: 'x' })
        .result('t', `${'y '.repeat(9000)}token=${secret} and so on`),
    );
    expect(store.text()).not.toContain(letters);
  });

  it('a secret behind so many others that its piece of a long result is short without them', () => {
    const secret = secrets[2]![2];
    const others = `API_KEY=${letters.repeat(7)}\n`.repeat(9);
    const cut = 2_800;
    for (let at = cut - 38; at < cut; at += 5) {
      const begin = others.padEnd(at, 'y ') + secret;
      const end = secret + others.padStart(cut - 100 - secret.length + cut - at, 'y ');
      const { store } = ingested(
        new Recording(sessionId(1))
          .user('go')
          .call('t', 'Bash', { command: 'x' })
          .result('t', `${begin}${' z'.repeat(8000)} ${end}`),
      );
      expect(store.text().includes(secret.slice(0, 12))).toBe(false);
      expect(store.text().includes(secret.slice(-12))).toBe(false);
    }
  });

  it('a token of a service wherever it stands, and another behind it', () => {
    const token = join('fw_', letters.slice(0, 22));
    for (let length = 0; length < 60; length++) {
      for (const before of ['x'.repeat(length), 'x '.repeat(length), 'x-'.repeat(length)]) {
        const cleaned = new Redactor().clean(`${before} ${token} ${token}`);
        expect(cleaned).toBe(`${before} [REDACTED:service] [REDACTED:service]`);
      }
    }
  });

  it('a secret anywhere in a very long line', () => {
    const secret = secrets[2]![2];
    for (const at of [199_980, 199_999, 399_970]) {
      const { store } = ingested(
        new Recording(sessionId(1)).user(`${'y'.repeat(at)} ${secret} ${'y'.repeat(300_000)}`),
      );
      expect(store.text().includes(secret.slice(4, 16))).toBe(false);
      expect(store.text().includes(secret.slice(-12))).toBe(false);
    }
  });

  it.each([
    ['colours', `API_KEY\u001b[0m=\u001b[32m${letters}\u001b[0m`],
    ['zero bytes', [...`API_KEY=${letters}`].join('\0')],
  ])('a secret with %s in it, which are not stored either', (_what, text) => {
    const { store } = ingested(
      new Recording(sessionId(1))
        .user(text)
        .answer(text)
        .call('t', 'Write', { file_path: 'a', content: text }),
    );
    expect(JSON.stringify(store.contents()).includes(letters)).toBe(false);
    expect(store.text().match(/API_KEY=\[REDACTED/g)).toHaveLength(3);
  });

  it('and leaves the quotes around a secret', () => {
    const url = join('postgres://ada:', 'pr1vate-Pa55', '@db/shop');
    const texts = [`DATABASE_URL="${url}"\nMODE=dev`, `["-e", "URL=${url}", "till"]`];
    const { store } = ingested(new Recording(sessionId(1)).user(texts.join('\n')));
    expect(store.text().replace(/\[REDACTED:[a-z-]+\]/g, 'X')).toBe(
      'User: DATABASE_URL="X"\nMODE=dev\n["-e", "URL=X", "till"]',
    );
  });

  it('the name of a branch', () => {
    const secret = secrets[2]![2];
    const { store } = ingested(new Recording(sessionId(1), { gitBranch: `till/${secret}` }).user('go'));
    expect(JSON.stringify(store.contents())).not.toContain(secret);
    expect(store.contents()['chunks']).toMatchObject([{ git_branch: 'till/[REDACTED:github]' }]);
  });

  it('the name of a team', () => {
    const secret = secrets[2]![2];
    const member = { teamName: `till ${secret}`, agentName: 'ada' };
    const { store } = ingested(new Recording(sessionId(1), member).user('go').answer('Gone.'));
    expect(store.contents()['agents']).toMatchObject([{ name: 'ada', team_name: 'till [REDACTED:github]' }]);
  });

  it('the name of a field of a tool’s input', () => {
    const secret = secrets[2]![2];
    const input = { url: 'x', [secret]: 'a', headers: { [secret]: 'b' } };
    const { store } = ingested(new Recording(sessionId(1)).user('go').call('t', 'mcp__http__get', input));
    expect(store.text().match(/\[REDACTED:github\]/g)).toHaveLength(2);
    expect(JSON.stringify(store.contents()).includes(secret)).toBe(false);
  });
});

it('what an older version left is taken out when the transcript is read anew', () => {
  const { store, path } = ingested(
    new Recording(sessionId(1)).user('API_KEY=old').answer('well').user('my plan').answer('fine'),
  );
  store.forget('my plan');
  store.ingest(path);
  const before = store.contents();
  const db = openSqlite(store.path);
  db.prepare('UPDATE chunk SET text = replace(text, ?, ?)').run('API_KEY=old', 'API_KEY=leaked');
  db.close();
  expect(store.ingest(path).status).toBe('unchanged');
  expect(store.text()).toContain('leaked');
  expect(store.ingest(path, { anew: true })).toMatchObject({ status: 'ingested', chunks: 1 });
  expect(store.contents()).toEqual(before);
});

it('a key that is longer than what is kept of a long result is not stored', () => {
  const key = Array.from({ length: 60 }, (_, n) => `${n}${letters}${letters}`.slice(0, 64));
  const lines = [
    join('-----BEGIN RSA PRIVATE', ' KEY-----'),
    ...key,
    join('-----END RSA PRIVATE', ' KEY-----'),
  ];
  const { store } = ingested(
    new Recording(sessionId(1))
      .user('go')
      .call('t', 'Bash', { command: 'x' })
      .result('t', `${'x\n'.repeat(9000)}${lines.join('\n')}`),
  );
  for (const line of key) expect(store.text().includes(line)).toBe(false);
});

it.each(['\n', ' ', '\\n', '",\n"'])(
  'of a key whose beginning is missing, no line is stored: %j',
  (between) => {
    const key = Array.from({ length: 60 }, (_, n) => `${n}${letters}${letters}`.slice(0, 64));
    const end = join('-----END PGP PRIVATE', ' KEY BLOCK-----');
    const output = [`the end: ${key[0]}`, ...key.slice(1), '=UTah', end, 'read'].join(between);
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('go')
        .call('t', 'Bash', { command: 'tail key.asc' })
        .result('t', output)
        .assistant(`It ends with ${end} and is whole.`),
    );
    for (const line of key) expect(store.text().includes(line)).toBe(false);
    expect(store.text()).toContain('the end: [REDACTED:privatekey]');
    expect(store.text()).toContain(`It ends with ${end} and is whole.`);
  },
);

describe('a secret that is all that a person says', () => {
  const secret = letters.slice(0, 24);
  const asked = (question: string, reply: string): Recording =>
    new Recording(sessionId(1)).user('go').answer(question).user(reply).answer('Done.');

  it.each([
    ['Please paste your API key:', letters.slice(0, 24)],
    ['What is the password of the till?', 'tr0ub4dor!'],
    ['Which password?', '48151623K.q'],
    ['请输入密码', `${letters.slice(0, 12)}/${letters.slice(12)}=`],
  ])('is none where it was asked for: %s', (question, reply) => {
    expect(ingested(asked(question, `${reply}\n`)).store.saidBy('user')).toEqual(['go', '[REDACTED:told]']);
    expect(ingested(asked(question, reply)).report.redactions).toEqual({ told: 1 });
  });

  it('is none among other answers', () => {
    const reply = `1. skip it\n2. ${secret}\n3) tr0ub4dor!\n4. 12 hours`;
    expect(ingested(asked('Which locale, password, PIN and clock?', reply)).store.saidBy('user')[1]).toBe(
      '1. skip it\n2. [REDACTED:told]\n3) [REDACTED:told]\n4. 12 hours',
    );
    expect(ingested(asked('What is the key?', `Till_2=${secret}`)).store.saidBy('user')[1]).toBe(
      'Till_2=[REDACTED:told]',
    );
    const printed = `${'ok\n'.repeat(10)}${secret}`;
    expect(ingested(asked('Is the key there?', printed)).store.saidBy('user')[1]).toBe(printed);
  });

  it.each([
    ['Which branch has the API key?', 'Feature-12-of-the-Till3'],
    ['The key is missing. Which model?', 'Qwen2.5-Coder-32B-Instruct'],
    ['The key is missing. Where?', 'https://till.example.org/Aa1Bb2Cc3Dd4Ee5Ff6'],
    ['Whose password?', 'ada2@example.org'],
    ['Which migration adds the token?', '20240315120000_AddTillTokens'],
    ['The key is missing. Where?', 'the%20till%202.pdf'],
    ['Which condition guards the token?', 'coin2!=till&&coin3'],
    ['The key is there. And the wallet?', `0x${'A1b2C3d4'.repeat(5)}`],
    ['Which commit has the key?', 'feature-till2~1'],
    ['Which session?', secret],
  ])('stays where it is another word, or not asked for: %s', (question, reply) => {
    expect(ingested(asked(question, reply)).store.saidBy('user')).toEqual(['go', reply]);
  });

  it('is none where its question was read before', () => {
    expectSameInPieces(asked('Please paste your API key:', secret).user(secret).text);
  });
});

describe('what is no secret stays as it is', () => {
  const texts = [
    'password: 9\n- name: TILL_KEY\n  value: "till:coins:v2"\n\n- name: TILL_SECRET\n\ncase token\n  value: tills[i].value',
    'Read-Host "Enter the password" | ConvertTo-SecureString; gc "till-secret.txt" | ConvertTo-SecureString',
    'password is 20240315120000_AddTill, la contraseña 20240315120000_AddTill, | password | 2024-Mar-15 |',
    `use the api key with the account id ${'a1b2c3d4'.repeat(4)} or the api key of sha256 ${'a1b2c3d4'.repeat(8)}`,
    'spi.body.token = Till2SharedPreferences.getInstance(context).till8token; token = preferences.user188token',
    'https://api.nasa.gov/apod?api_key=DEMO_KEY&date=2024-10-15, sed -n \'s/PASSWORD: "\\(.*\\)"/\\1/p\' till.yml',
    "//npm.example.org/:_authToken=YOUR_TILL_TOKEN, OPENAI_API_KEY=sk-or-v1-... and 'till={API_KEY=\"'$API_KEY2'\"}'",
    '4d3f2a1b9c8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a is the till token fix, till2Tools3AndTheBells as the API key-getter; is the API v2/Tills/2/Drawers',
    'commit 4d3f2a1b9c8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a is the fix of the token, the open_tills_of_ada_in_2_shops is the secret; this is the API v2-tills-of-ada-2-shops',
    'the API key of 4d3f2a1b9c8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a; echo uptime | ssh till; echo restart.till | ssh ada@till sh',
    'api_keys = ["TILL_API_KEY_2", "the-till-of-ada-2"]; $s = "C2till"; plink -pw $t; setItem("token", "till-2-of-ada-in-the-shop")',
    ': "${TILL_API_KEY:?TILL_API_KEY2 not set}"; setx TILL_API_KEY (Get-Content till2.txt)',
    'idToken: zod0.ZodOptional<zod0.ZodString>; password: zod518.ZodString; **Access token**: 15-minute expiry',
    "GET_ACCESS_TOKEN: 'auth:get-access-token', MASTER_KEY: 'till:master-key', bcrypt.hash('password', 12)",
    'keyring.get_password("https://example.org", "ada"); keyring.set_password("shop:2", "ada", value)',
    'auth: { user: smtpUser1, pass: smtpPass2 }, ada: { user: form.user1,\n  pass: form.pass2,\n}',
    'With the new password, `new_password1`, and the old password, "oldPassword2", the form is sent',
    'input2 is the password, TILL-142 is the forgotten password. The limit of the password is 100000 attempts',
    'Form2 is the password page, what OAuth2 is: the password is 2024-10-15, oauth2x is the password for that',
    'const password = process.env.DB_PASSWORD;',
    'password: string; apiKey?: string',
    'seal(ownerPrivateKey: Uint8Array): { privateKey: Uint8Array; secret: BigUint64Array }',
    'secret key: RSA-2048, API key: AES-256-GCM, key=ed25519; 密钥：AES-256-GCM',
    'write(key: \'access_token\', value: accessToken), set_cookie(key="refresh_token", value=refresh_token, httponly=True)',
    'Name: "till:1",\n\tPWD:           "HKLM:\\\\SOFTWARE\\\\till:test",',
    'API_KEY=${API_KEY} npm test',
    'let secret = BASE64_STANDARD.decode(api_secret)?;',
    "fail('The password is incorrect.'),till2=3",
    "('set the password to something!'),till2=3, ('login pass incorrect!'),till2=3, (ada@example.org / opened),till2=3",
    '(login: ada / opened),till2=3, (parola sbagliata!),Till2a, (密码incorrect),till2=3',
    'PrivateKey: encodeBase58(keyBytes), password = till2Hex(plain, salts[0])',
    'postgres://user:pass@localhost/shop, postgres://shop:PASSWORD@localhost:5432/shop',
    'postgresql://${POSTGRES_USER:-postgres}:${POSTGRES_PASSWORD:-postgres}@db:5432/shop',
    'set max_tokens: 4096 and token_count = 12345678',
    'PWD="D:\\\\work\\\\shop2" and cwd=/home/ada/shop2',
    'see https://example.org:8080/path@2 and git@github.com:ada/shop.git',
    'commit 4d3f2a1b9c8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a',
    'храни пароль PostgreSQL16 в файле, a senha do usuario1 e o hash bcrypt12, contraseña hasheada con sha256sum',
    'кэш с ключом `node-modules-Linux-x64-1a2b3c`, `CACHE_KEY` is set to `till-cache-of-the-shop`, `TILL_KEY` went in `4d3f2a1b9c8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a`',
    'la contraseña OAuth2PasswordBearer, какой пароль PostgreSQL16? **a senha usuario1** campo senha @NotBlank(max=20)',
    'a função desenha Tr4co2d, uma resenha Kindle2go',
    'the -pw option of plink, its -pw parameter, or the -pw switch, tells it',
    'convert -pw "$WIDTH" till.png; set password "$1"; $pass = "$given"',
    'uuid 123e4567-e89b-42d3-a456-426614174000',
    'sha512-aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4hJ6kL8naB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4hJ6kL8n==',
    'see re_export_all_of_the_modules, config_figure_dimensions_and_margins, key-value-store-of-the-server',
    'git checkout feature/vcpkg_manifest-mode-for-windows-builds && open https://discord.com/api/webhooks',
    'ssh-keygen -N "" -f key; node --pass-through; git diff a3-b4; docker login --password-stdin',
    'https://x.example.org/?sig=abc&v=1 and the subscription key is in the vault; signing key: pending',
    'The secret: oil it twice a year. Password reset works.',
    'The password is hashed, the password is sha256-hashed, the password was 8-characters, a passphrase is needed',
    'import { token } from "./tokens.js"; const accessToken = getAccessToken();',
    'api_key: <your key>, password=changeme',
    'the basic responsibilities of a bearer authentication-and-authorization-layer',
    'npm_config_disable_global_virtual_store_links=true',
    'run it with --password-stdin --token-file ./token2 --password "$DB_PASSWORD"',
    'const token = await nextTokenAfterPosition2(lexer); next_token: Token2Kind',
    "IDENTIFIED BY 'password'; WITH PASSWORD '$PW'; add_argument('--api-key', '-k2', help='the key')",
    'API key: none is needed; access key: see the vault, the till is identified by its number',
    'login with password authentication, or find . -name mysql -print',
    'a login (no password needed) and a login page: password (optional)',
    "scp till.pcap2 ada@example.org:\nada@example.org's password: \ntill.pcap2   100% 1788",
    "$request->validate(['password' => 'min:8|confirmed', 'new_password' => 'nullable|min:8']);",
    'rows identified by "Pt-{number2}" or by \'till_{id}\'',
    'docker run --name db -p3306:3306 mysql:8 && docker run -p 27017:27017 mongo',
    'Set-Cookie: theme=dark; Path=/; Max-Age=31536000; SameSite=Lax',
    'connect(host=host, user=user, password=password) or mysql -u root -p"$PASS"',
    'POSTGRES_PASSWORD=postgres SKIP_PASSWORD=disabled FORGOT_PASSWORD: forgotPassword',
    'machine.ts:1234:import:x fe80:0000:0000:0000:0202:b3ff',
    'パスワード：8文字以上で設定してください。密码：参见说明2。Пароль: минимум 8 символов, Passwort: process.env.PW2',
    '密码SHA256加密，密码bcrypt12，密码 /etc/shadow2，パスワードOAuth2Login，비밀번호는 8자 이상',
    'Le mot de passe : voir docs/acces2.md，contraseña: ${CONTRASENA2} et senha: <sua_senha1>',
    'curl -u "$USER:$PASSWORD" https://example.org && docker run -u 1000:1000',
    'cat token.txt | docker login --password-stdin; echo "$PW" | sudo -S ls; echo done | sudo tee log',
    'password: required, password = "must be at least eight", password: \'stored with the account that was used\'',
    'password: 4 words, password=123, {"password": 7, "passwordLength": 12345678, "pwd": 20261124-153000}',
    "page.getByLabel('Password').fill(password); page.fill('#password', 'secret'); test('password', 'fill in the till')",
    '- textbox "Password" [ref=e7]\n- textbox "Password" [ref=e8]: ••••••••\n- text: opensesame',
    'kubectl create configmap till --from-literal=mode=opensesame; zip -r a.zip b; 7z x a.7z -p; bcp, zip and ldap -P',
    'net user growth was 12; net user ada /delete; net user ada * /add; sudo -S ls <<< "$PW"; gh secret set TILL -b "$TILL"',
    'ConvertTo-SecureString $plain -AsPlainText; find . -token till2; new Login(user, "password", field2)',
    '- **Name**: `TILL_SECRET`\n- **Value**: `[64-digits]`\n\nName: DB_PASSWORD\nValue: the same as in step 2 above',
    '<input name="password" value="Password"> <add key="Token" value="till2"/> list["password"] == "opensesame"',
    'http -v https://example.org; http -a ada:8080; xh --auth=$TOKEN example.org; auth=("user", os.environ["PW"])',
    'vault kv put secret/till @till.json; aws ssm put-parameter --type String --name till --value opensesame2',
    'supabase secrets set --env-file .env.till2 && supabase secrets list; pulumi config set aws:region eu-west-1; A=opensesame',
    'fly secrets set A=$A && MODE=production2 fly deploy; `pulumi config set till --secret` and then deploy the till2',
    'pulumi config set till some-value2 && pulumi config set --stack shop2 --secret till; composer config http-basic.example.org and then deploy2',
    'composer config repositories.till vcs https://example.org/till; composer config http-basic.example.org ada "$TILL"',
    'fly secrets import < .env.till2; cat .env2 | fly secrets import; fly secrets import <<EOF\nTILL=$TILL2\nEOF\nMODE=production2',
    'fly secrets import --app=shop2 <<EOF\nTILL=$TILL2\nEOF; cat <<EOF | fly secrets import --app=shop2\nTILL=$TILL2\nEOF',
    'secrets: ["projects/shop1/secrets/TILL/versions/2-of-3", "projects/1shop2/secrets/TILL/versions/2"]',
    'doppler secrets set TILL; doppler secrets set TILL "$TILL2"; doppler secrets set and then deploy2; composer config custom-headers.example.org "Till: $TILL2"',
    'echo MODE=production2 > till; fly secrets list | grep till2; {"headers": ["Till: opensesame2"]}',
    'cargo login --registry till2; keytool -list -storepass "$PW"; storePassword props["till2"]; set -x PATH /bin2',
    'variable "db_password" { type = string }, variable "region" { default = "eu-west-1" } and authKey: string',
    '{"d":"a-path-of-more-than-forty-characters-to-be-drawn-2"} {"kty":"EC","x":"WKn-ZIGevcwGIyyrzFoZNBdaq9_TsqzGl96oc0CWuis"}',
    'The seed phrase has twelve words, the mnemonic is my very educated mother; primaryKey: user_id2',
    'useradd -p option sets it; usermod -p "$HASH" ada; usermod -p \'*\' root; openssl passwd -6 -salt till2till2',
    'use openssl passwd -6 generated by hand; net use * /delete; net use T: \\\\till\\share * /user:ada; net use /user:ada %PW%',
    'The password for staging is not stored, the password for this is sha256-hashed; password: oauth2',
    'kind: Secret\ndata:\n  till: {{ .Values.till | b64enc }}\n  shop: <base64>\n  ada: dGVzdA==\nstringData:\n  till: ${TILL}',
    'kind: ExternalSecret\ndata:\n  till: b3BlbnNlc2FtZQ==\n---\nspec:\n  kind: Secret\n  data:\n    till: changeme',
    '{"type": "users", "attributes": {"password": "letters", "result": "opensesame"}, "value": "opensesame", "type": "string"}',
    "INSERT INTO users (name, password) VALUES ('opensesame', ?), ('ada', $1), ('ada', '<hash>'), ('ada', '#{pw_of_ada}')",
    "INSERT INTO users (name, password) VALUES ('\" + name + \"', '\" + hash + \"'); UPDATE users SET password = '$new2'",
    'create user accounts identified by email or by name; chpasswd <<EOF',
    'htpasswd -c /etc/nginx/.htpasswd ada && htpasswd -v users ada; htpasswd is in apache2-utils package',
    'datasource.password=\nplatform=org.till.H2Dialect\nAPI_TOKEN=\nNAME=the-till-of-ada-at-eu-west-1',
    '{"password": "Пароль", "passwd": "Contraseña", "confirm_password": "Password:", "save_password": "是否安全存储密码？"}',
    '## Design tokens\n- Primary: colorPrimary500BackgroundHover',
    '## Tokens\n- Where they are checked: src/auth/OAuth2TokenProvider/index',
    'secret_key = "env(TILL_KEY_2)", {"api_key":"[TILL_API_KEY_2]"}, and androidx.credentials:credentials:1.3.0',
    'postgresql://postgres.[project-ref]:[YOUR-PASSWORD]@aws-0-[region].pooler.supabase.com:6543/postgres',
    '(Get-Content .env | Select-String "API_KEY=").ToString().Split("=", 2)[1]',
    '| API key | gemini-2.5-flash-lite |\n| Token | claude-sonnet-4-20250514 |\n| Password | at least 8 |\n| ada | password | admin2 |',
    'by Ada (ada@example.org / @ada1815), ada@example.org / bob2@example.org, ada@example.org / 2026-01-02, git@example.org/till/shop2',
    'ada@example.org (password reset mail 2), a token TillOfAda or an API key feature/till-2-of-the-shop',
    "password: process.env.DB_PASSWORD || 'your-password-2', token: given || './tokens/token2.json'",
    "{ user: 'ada', pass: 'password' }, { email: 'a', pass: process.env.PASS2 }, { name: 'password', value: 'Passwort' }",
    '{"password": "请输入6位以上密码", "passwd": "パスワードを保存しますか", "api_key": "비밀번호를입력하세요"}',
    'CACHE_KEY=a1b2c3d4a1b2c3d4a1b2c3d4, SSH_PUBLIC_KEY=AAAAB3NzaC1yc2EAAAADAQABAAAB2gQ3, SORT_KEY=the-till-of-ada-2-and-3',
    'PrivateKey = /etc/wireguard/till2.key, PresharedKey=/home/ada/Till2OfTheShop/and/of/ada',
    'grep till "shop_api_token" till-plan-2-OF-SHOP-2026-08-05.md; docs/etc/passwd:root:x:0:0:root:/root:/bin/bash2',
    'BUNDLE_PATH=vendor, BUNDLE_WITHOUT=test:development, BUNDLE_GEMS__EXAMPLE__ORG=$TILL:$TILL2, wandb login --relogin',
    'send it as `https://user:pass@example.org/` or http://ada:password@example.org:8080/shop2',
    '4d3f2a1b9c8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a\trefs/heads/reset-password\n9b8c7d6e5f4a4d3f2a1b9c8e7f6a5b4c3d2e1f0a\trefs/heads/till',
    'secrets: ["GITHUB_TOKEN_2", "the-till-of-ada-2-and-3"], secrets: [GITHUB_TOKEN], AlzaSy..., \\$2a\\$12, 密钥：你的密钥, 密钥: see-till-2',
    'aws_secret_access_key=settings.till_s3_secret_key, Retype new password: \nroot@till-8gb-nbg1:~# done, $1.50$ and a$b',
    '## Design tokens\n- color: the-till-of-ada-2-and-3\n- commit: 4d3f2a1b9c8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a\n- path: src/Till2 / shop / drawer2',
    'password: must have more than\n, pass: true, and Pass=only when this till, set the password to letters and 12345678, ${DB_TOKEN:-none}',
    'SSH: see docs / till2, the user may pass 12345678, a login pass through OAuth2Login2, user can pass test12345, the user must pass cart@v2!',
    'the till is at 12345678: AAG of the shop, "private": {"type": "Buffer", "data": "till"}, API key Till est là',
    'the password `sha256$2` or `at-least-8`, credentials: ada / see-manual, Login: POST /v1 / V2, "license": "BSD-3-Clause-Clear"',
  ];
  it('what follows the mention of a key', () => {
    const mark = join('-----BEGIN PRIVATE', ' KEY-----');
    const { store } = ingested(
      new Recording(sessionId(1)).user(`It begins with ${mark} and is read by pem.ts.`),
    );
    expect(store.saidBy('user')).toEqual(['It begins with [REDACTED:privatekey] and is read by pem.ts.']);
  });

  it.each(["ada@example.org's password: \r\n", '(ada@example.org) Password: \r\n'])(
    'what came of it where SSH has asked for a password: %j',
    (prompt) => {
      const output = `${prompt}till.pcap2   100% 1788`;
      const { store } = ingested(new Recording(sessionId(1)).user(output));
      expect(store.saidBy('user')).toEqual([output.replace('\r', '')]);
    },
  );

  it.each(texts)('%s', (text) => {
    const { store, report } = ingested(new Recording(sessionId(1)).user(text));
    expect(store.saidBy('user')).toEqual([text]);
    expect(report.redactions).toEqual({});
  });
});

describe('private parts', () => {
  it.each([
    ['show <private>my diary\nall of it</private> this', 'show [private] this'],
    ['show <PRIVATE>one</PRIVATE> and <private>two</private>', 'show [private] and [private]'],
    ['show this <private>my diary, never closed', 'show this [private]'],
    ['show <private>one <private>two</private> my diary</private> this', 'show [private] this'],
    ['show <private>one <private>two</private> this', 'show [private] this'],
    ['show <private>one <private>two</private> and <private>my diary', 'show [private]'],
    ['show <private >one</private > this</private>', 'show [private] this</private>'],
  ])('%s', (text, shown) => {
    const { store, report } = ingested(
      new Recording(sessionId(1))
        .user(text)
        .answer(text)
        .user([{ type: 'text', text }]),
    );
    expect(store.saidBy('user')).toEqual([shown, shown]);
    expect(JSON.stringify(store.contents())).not.toMatch(/diary|one<|two/);
    expect(report.redactions['private']).toBeGreaterThan(0);
  });

  it.each([
    [
      'by a file',
      [
        { type: 'text', text: 'a <private>my diary' },
        { type: 'image' },
        { type: 'text', text: 'its key</private> b' },
      ],
    ],
    [
      'by a file, with blanks in the tags',
      [
        { type: 'text', text: 'a <private >my diary' },
        { type: 'image' },
        { type: 'text', text: 'its key</private > b' },
      ],
    ],
    [
      'by a note of the client',
      'a <private>my diary <system-reminder>note</system-reminder> its key</private> b',
    ],
  ])('parted %s', (_by, content) => {
    const { store } = ingested(new Recording(sessionId(1)).user(content).answer('well'));
    expect(JSON.stringify(store.contents())).not.toMatch(/diary|its key/);
    expect(store.saidBy('user').join(' ')).toMatch(/^a \[private\].* b$/);
  });

  it('that begin in what is left out of a long result', () => {
    const line = 'and so on, and on\n';
    const { store } = ingested(
      new Recording(sessionId(1))
        .user('go')
        .call('t', 'Bash', { command: 'x' })
        .result('t', `${line.repeat(900)}<private>diary\n${line.repeat(400)}diary</private> the end`),
    );
    expect(store.text()).not.toContain('diary');
    expect(store.text()).toMatch(/the end$/);
  });
});
