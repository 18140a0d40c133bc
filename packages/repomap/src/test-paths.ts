const TEST_PATH =
  /(?:^|\/)(?:tests?|specs?|__tests__|testdata|fixtures?|examples?|samples?|benchmarks?|bench|docs?|mocks?|__mocks__)\/|[._-](?:test|spec|bench)s?\.\w+$|(?:^|\/)test_\w+\.py$|(?:Test|Tests|Spec|IT)\.(?:java|cs|kt|scala|php|swift)$/;

/** Tests, examples and the like: they use much and are used by nothing. */
export function isTestPath(path: string): boolean {
  return TEST_PATH.test(path);
}
