// All consumers of the matrix: the environments in which the package must work.
//
// A consumer is `{ name, isQuick, expected, getSkipReason, run }`. `run(harness)` returns the result of the scenario (scenario.js).
// For a consumer that does something else, its result must equal `expected` instead. `getSkipReason()`, if present, returns why the
// consumer cannot run on this machine, or undefined. Quick consumers run in `make test`.
import { consumers as bundlers } from "./bundlers.mjs";
import { consumers as examples } from "./examples.mjs";
import { consumers as next } from "./next.mjs";
import { consumers as pages } from "./pages.mjs";
import { consumers as proxies } from "./proxies.mjs";
import { consumers as react } from "./react.mjs";
import { consumers as runners } from "./runners.mjs";
import { consumers as serverRendering } from "./server-rendering.mjs";
import { consumers as servers } from "./servers.mjs";
import { consumers as treeShaking } from "./tree-shaking.mjs";
import { consumers as workers } from "./workers.mjs";

export const consumers = [
  ...pages,
  ...bundlers,
  ...examples,
  ...next,
  ...proxies,
  ...react,
  ...runners,
  ...serverRendering,
  ...servers,
  ...treeShaking,
  ...workers,
];
