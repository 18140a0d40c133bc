import type { SecretRange } from './secret-rule.js';

/**
 * Tokens that are known by how they begin. There are many services, and runs of so many of the characters that such are
 * made of are few: each is looked at once.
 */
const RUN_LENGTH = 24;
const LONG_RUN = /\b[\w.~-]{24}/g;
/** By character code, as `LONG_RUN` has them. */
const IS_OF_RUN = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w.~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const SERVICE_TOKEN = new RegExp(
  [
    'gsk_[A-Za-z0-9]{40,}', // Groq
    'xai-[A-Za-z0-9]{60,}', // xAI
    'r8_[A-Za-z0-9]{37,}', // Replicate
    'pypi-[\\w-]{50,}', // PyPI
    'do[opr]_v1_[a-f0-9]{64}', // DigitalOcean
    'hv[sbr]\\.[\\w-]{24,}', // Vault
    'sbp_[a-f0-9]{40}', // Supabase
    'ntn_[A-Za-z0-9]{40,}', // Notion
    'secret_[A-Za-z0-9]{43}', // Notion, before
    'tskey-[\\w-]{20,}', // Tailscale
    'dapi[a-f0-9]{32}', // Databricks
    'ATATT3[\\w=-]{40,}', // Atlassian
    'fm[12]_[\\w+/=]{40,}', // Fly.io
    'AGE-SECRET-KEY-1[A-Z0-9]{58}', // age
    'fig(?:d|u|ur|o|or)_[\\w-]{40,}', // Figma
    'vc[pirak]_[A-Za-z0-9]{24,}', // Vercel
    'vercel_blob_rw_\\w{30,}',
    'nf[pcoub]_[A-Za-z0-9]{36,}', // Netlify
    'cf(?:at|ut|k)_[\\w-]{40,}', // Cloudflare
    'v1\\.0-[a-f0-9]{24}-[a-f0-9]{100,}', // Cloudflare's certificates
    'lin_oauth_\\w{40,}', // Linear
    'dckr_[op]at_[\\w-]{20,}', // Docker
    'glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}', // Grafana
    'glc_eyJ[\\w+/-]{40,}={0,2}',
    'NRAK-[A-Z0-9]{27}', // New Relic
    'PMAK-[a-f0-9]{24}-[a-f0-9]{34}', // Postman
    'ATBB[A-Za-z0-9]{32}\\b', // Bitbucket
    'pul-[a-f0-9]{40}', // Pulumi
    '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,}', // Terraform
    'rubygems_[a-f0-9]{48}',
    'oy2[a-z0-9]{43}\\b', // NuGet
    'cio[A-Za-z0-9]{32}\\b', // crates.io
    'CLOJARS_[a-z0-9]{60}',
    'AKCp[A-Za-z0-9]{65,}', // Artifactory
    'cmVmdGtuO[A-Za-z0-9]{50,}',
    'sq[apu]_[a-f0-9]{40}', // SonarQube
    'sntry[su]_[\\w+/-]{40,}={0,2}', // Sentry
    'pplx-[A-Za-z0-9]{40,}', // Perplexity
    'lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}', // LangSmith
    'tvly-[\\w-]{30,}', // Tavily
    'fc-[a-f0-9]{32}\\b', // Firecrawl
    'ctx7sk-[a-f0-9-]{36}', // Context7
    'e2b_[a-f0-9]{40}',
    'apify_api_[A-Za-z0-9]{30,}', // Apify
    'ref-[a-f0-9]{20}\\b', // Ref
    '[a-f0-9]{32}\\.(?=[a-z]{0,15}[A-Z0-9])[A-Za-z0-9]{16}\\b', // Z.ai
    're_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\\b', // Resend
    'phx_[A-Za-z0-9]{40,}', // PostHog
    'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}', // Airtable
    'pat-[a-z]{2}\\d-[a-f0-9-]{36}', // HubSpot
    'EAA[A-Za-z0-9]{80,}', // Facebook
    'AQ\\.Ab[\\w-]{40,}', // Google's keys of a later form
    'sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}', // Sourcegraph
    'bkua_[a-f0-9]{40}', // Buildkite
    'CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}', // CircleCI
    'pnu_[A-Za-z0-9]{36}', // Prefect
    'rnd_[A-Za-z0-9]{28,}', // Render
    'CFPAT-[\\w-]{43}', // Contentful
    'dt0[a-z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}', // Dynatrace
    'tfp_[\\w-]{40,}', // Typeform
    'pscale_(?:tkn|pw|oauth)_[\\w=.-]{32,}', // PlanetScale
    'napi_[a-z0-9]{40,}', // Neon
    'dp\\.[a-z]{2,5}\\.(?:[\\w-]{2,35}\\.)?[A-Za-z0-9]{40,44}\\b', // Doppler
    'sb_secret_[\\w-]{20,}', // Supabase
    'HRKU-[\\w-]{50,}', // Heroku
    'sq0[a-z]{3}-[\\w-]{22,}', // Square
    'key-[a-f0-9]{32}\\b', // Mailgun
    '[a-f0-9]{32}-us\\d{1,2}\\b', // Mailchimp
    'sk\\.eyJ[\\w-]{40,}\\.[\\w-]{20,}', // Mapbox
    'xox[a-z](?:\\.xox[a-z])?-[\\w%/+-]{20,}', // Slack
    'xapp-\\d-[\\w-]{40,}',
    '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}(?!\\w)', // Discord
    '[\\w~.]{3}\\dQ~[\\w~.-]{31,34}(?!\\w)', // Azure
    'A3-[A-Z0-9]{6}-[A-Z0-9]{6}(?:-[A-Z0-9]{5}){4}\\b', // 1Password
    'ops_eyJ[\\w-]{100,}',
    'ABSK[A-Za-z0-9+/]{100,}={0,2}', // AWS Bedrock
    'bedrock-api-key-[A-Za-z0-9+/]{40,}={0,2}',
    'GR1348941[\\w-]{20,}', // GitLab
    'api_org_[A-Za-z0-9]{30,}', // Hugging Face
    'APA91b[\\w-]{100,}', // Firebase
    'pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}', // Pinecone
    'csk-[a-z0-9]{40,}', // Cerebras
    'nvapi-[\\w-]{60,}', // NVIDIA
    'tgp_v1_[\\w-]{40,}', // Together
    'jina_[A-Za-z0-9]{50,}', // Jina
    'key_[a-f0-9]{64}\\b', // Cursor
    'BSA(?=[\\w-]*\\d)[\\w-]{28}(?![\\w-])', // Brave
    'fw_(?=[A-Za-z]*\\d)[A-Za-z0-9]{22,40}\\b', // Fireworks
    'pa-(?=[A-Za-z_-]*\\d)[\\w-]{43}(?![\\w-])', // Voyage
    'a[ks]-(?=[A-Za-z]*\\d)(?=[a-z\\d]*[A-Z])[A-Za-z0-9]{22}\\b', // Modal
    'SK[a-f0-9]{32}\\b', // Twilio
    'sl\\.(?:u\\.)?[\\w-]{120,}', // Dropbox
    'wandb_v1_\\w{40,}', // Weights & Biases
    'aio_[A-Za-z0-9]{28}\\b', // Adafruit
    'duffel_(?:test|live)_[\\w-]{40,}', // Duffel
    'EZ[AT]K[A-Za-z0-9]{54}\\b', // EasyPost
    'fo1_[\\w-]{40,}', // Fly.io
    '[ps]at\\.[\\w-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}\\b', // Harness
    'ico-[A-Za-z0-9]{32}\\b', // Infracost
    'sha256~[\\w-]{43}', // OpenShift
    'rdme_[a-z0-9]{70}', // ReadMe
    'xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}', // Brevo
    'shippo_(?:live|test)_[a-f0-9]{40}', // Shippo
    'EAAA[\\w-]{60}(?![\\w-])', // Square
    'tk-us-[\\w-]{40,}', // Scalingo
    'access-(?:sandbox|development|production)-[a-f0-9-]{36}', // Plaid
    'SWMTKN-1-[a-z0-9]{40,}-[a-z0-9]{25}', // Docker Swarm
    'K10[a-f0-9]{64}::[\\w-]{1,20}:[\\w.-]+', // K3s
    'p8e-[a-z0-9]{32}\\b', // Adobe
    'FLWSECK(?:_TEST)?-[a-f0-9]{12,}', // Flutterwave
    'fio-u-[\\w-]{64}', // Frame.io
    'API-(?=[A-Z]*\\d)[A-Z0-9]{26}\\b', // Octopus Deploy
    '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk\\b', // MaxMind
    'NRII-[\\w-]{32}', // New Relic
    '[a-f0-9]{36,40}NRAL\\b',
    '4b1d(?=[a-z\\d]*[A-Z])[A-Za-z0-9]{38}\\b', // ClickHouse
    'AQVN[\\w-]{35,38}(?![\\w-])', // Yandex
  ].join('|'),
  'y',
);

/** The next run of so many such characters behind a place. One of each 24 characters is looked at: no run lies between two. */
function nextRun(text: string, from: number): { start: number; end: number } | undefined {
  let at = from + RUN_LENGTH - 1;
  while (at < text.length) {
    let [start, end] = [at, at];
    if (isOfRun(text, at)) {
      while (start > from && isOfRun(text, start - 1)) start--;
      while (end < text.length && isOfRun(text, end)) end++;
      if (end - start >= RUN_LENGTH) return { start, end };
    }
    at = end + RUN_LENGTH;
  }
  return undefined;
}

function isOfRun(text: string, at: number): boolean {
  return IS_OF_RUN[text.charCodeAt(at)] === 1;
}

/** The next token of a service behind a place, where a word of the text begins with one. */
export function nextToken(text: string, from: number): SecretRange | undefined {
  for (let run = nextRun(text, from); run; run = nextRun(text, run.end)) {
    LONG_RUN.lastIndex = run.start;
    for (let word = LONG_RUN.exec(text); word && word.index < run.end; word = LONG_RUN.exec(text)) {
      SERVICE_TOKEN.lastIndex = word.index;
      if (SERVICE_TOKEN.test(text))
        return { kind: 'service', start: word.index, end: SERVICE_TOKEN.lastIndex };
    }
  }
  return undefined;
}

export function serviceTokens(text: string): SecretRange[] {
  const tokens: SecretRange[] = [];
  for (let token = nextToken(text, 0); token; token = nextToken(text, token.end)) tokens.push(token);
  return tokens;
}
