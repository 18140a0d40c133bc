/** The package `com.example` is an app of somebody who has no domain. */
const TEST_FOLDER =
  /(?:^|[/._-])(?:tests?|specs?|__tests?__|testdata|(?:__test)?fixtures?(?:__)?|(?<!\b(?:com|org|net|io|dev)\/)examples?|samples?|benchmarks?|bench(?:es)?|fuzz(?:ing|_targets)?|docs?|mocks?|__mocks__|e2e|cypress|__stories__)\//i;
/** `example_app/`, `test-files/`: whatever else such a folder is named after. */
const NAMED_TEST_FOLDER =
  /(?:^|\/)(?:examples?[-_][^/]*|tests?[-_](?:data|files|fixtures|helpers?|support|utils?))\//i;
/** `commonTest/`, `ParserTests/`, and `testFixtures/` of Gradle. */
const COMPOUND_TEST_FOLDER = /[a-z\d](?:Test|Spec|Benchmark)s?\/|(?:^|\/)testFixtures\//;
const TEST_FILE =
  /[._-](?:(?:(?:unit)?test|spec|bench(?:mark)?)s?|fuzz|stor(?:y|ies)|e2e|cy)\.\w+$|(?:^|\/)(?:test_\w+|conftest)\.py$|(?:^|\/)(?:tests\.\w+|test\.(?:c|cc|cpp|rs|zig))$|(?:Test|Tests|TestCase|Spec|IT)\.(?:java|cs|kt|scala|php|swift)$|\.t$|(?:^|\/)x?t\/(?:.*\/)?[^/]+\.(?:p[lm]|sh)$/;
/** A step of a database's history, numbered or dated: `migrations/0002_cart.py`, `Migrations/Version20240131.php`; of Alembic by its folder. */
const MIGRATION =
  /(?:^|\/)(?:migrat(?:e|ions?)\/(?:[^/]+\/)*(?:V(?:ersion)?)?\d{2,}|(?:alembic|migrations)\/versions\/)[^/]*\.\w+$/i;

const TEST_PATTERNS = [TEST_FOLDER, NAMED_TEST_FOLDER, COMPOUND_TEST_FOLDER, TEST_FILE, MIGRATION];

/** Tests, examples, stories, migrations and the like: they use much and are used by nothing. */
export function isTestPath(path: string): boolean {
  return TEST_PATTERNS.some((pattern) => pattern.test(path));
}
