import { literally } from '@causantic/domain';

/** Of secrets that are known by their form. */
export const WORDS_OF_FORMS = [
  'AKIA|ASIA|A3T|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|npm_|xox|xapp-|sk-ant|whsec|SG.|shpat_|shpca_|shppa_|shpss_|hf_|AIza|zaSy',
  'ghp_|gho_|ghu_|ghs_|ghr_|github_pat|glpat-|glrt-|gldt-|glptt-|glcbt-|glft-|glsoat-|glagent-|glimt-|gloas-|ya29',
  'GOCSPX|1//0|ops_ey|lin_api|T3BlbkFJ|SSWS|hooks.slack|api/webhooks/|webhookb2|webhook/send|open-apis|LS0tLS1CRUdJTi',
];

/** The same, where a word alone is in most texts. */
export const SIGNS_OF_FORMS = ['\\b[sr]k[-_]', '\\d: ?AA[\\w-]{8}', '[?&]sig=', 'Private-Lines', 'eyJ'];

/** What stands in each text that holds such a secret. */
export const FORM = new RegExp(
  [...WORDS_OF_FORMS.flatMap((words) => words.split('|')).map(literally), ...SIGNS_OF_FORMS].join('|'),
);
