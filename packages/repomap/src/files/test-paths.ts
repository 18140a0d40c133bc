/** The package `com.example` is an app of somebody who has no domain. */
const TEST_FOLDER =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|testdata|fixtures?|(?<!\b(?:com|org|net|io|dev)\/)examples?|samples?|benchmarks?|bench|docs?|mocks?|__mocks__|e2e|cypress|__stories__)\//i;
/** `commonTest/`, `ParserTests/`, and `testFixtures/` of Gradle. */
const COMPOUND_TEST_FOLDER = /[a-z\d](?:Test|Spec|Benchmark)s?\/|(?:^|\/)testFixtures\//;
const TEST_FILE =
  /[._-](?:(?:test|spec|bench)s?|stor(?:y|ies)|e2e|cy)\.\w+$|(?:^|\/)test_\w+\.py$|(?:Test|Tests|Spec|IT)\.(?:java|cs|kt|scala|php|swift)$|\.t$|(?:^|\/)x?t\/(?:.*\/)?[^/]+\.(?:p[lm]|sh)$/;

/** Tests, examples, stories and the like: they use much and are used by nothing. */
export function isTestPath(path: string): boolean {
  return TEST_FOLDER.test(path) || COMPOUND_TEST_FOLDER.test(path) || TEST_FILE.test(path);
}
