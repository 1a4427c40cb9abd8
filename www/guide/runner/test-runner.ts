// A test runner in a page. It replaces `vitest` for the examples that are tests.

type TestFunction = () => unknown;

/** A test that an example declares. */
interface DeclaredTest {
  name: string;
  run: TestFunction;
}

export interface TestRunner {
  /** What the example imports. */
  module: object;
  /** Runs the tests, one after the other, and shows the name of each that passes. A test that fails ends the run. */
  run: (show: (...values: unknown[]) => void) => Promise<void>;
}

export function createTestRunner(): TestRunner {
  const tests: DeclaredTest[] = [];
  const hooks: TestFunction[] = [];
  return {
    module: {
      test: (name: string, run: TestFunction) => tests.push({ name, run }),
      afterEach: (hook: TestFunction) => hooks.push(hook),
    },
    run: async (show) => {
      for (const { name, run } of tests) {
        await run();
        for (const hook of hooks) await hook();
        show(`passed: ${name}`);
      }
    },
  };
}
