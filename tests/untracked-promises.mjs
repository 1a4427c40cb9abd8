// Keeps the test runner from tracking promises: node --import ./tests/untracked-promises.mjs --test …
//
// The runner finds the test that an uncaught error belongs to by a hook for every promise, which takes a third of the time of tests with
// many requests. Without the hook, the error fails the run, but its message names the file only. The hook is replaced with one for the
// tests themselves, so that tests are in their suites.
import asyncHooks from "node:async_hooks";

const { AsyncResource, executionAsyncId } = asyncHooks;
let init = null;

asyncHooks.createHook = (hooks) => ({
  enable() {
    init = hooks.init;
  },
  disable() {},
});

/** The base class of tests and suites. */
asyncHooks.AsyncResource = class extends AsyncResource {
  constructor(type, options) {
    super(type, options);
    init?.(this.asyncId(), type, executionAsyncId(), this);
  }
};
