// Every consumer of the matrix: a name, whether it is among the quick ones, what it lacks here, and how it is run.
import { consumers as bundlers } from "./bundlers.mjs";
import { consumers as next } from "./next.mjs";
import { consumers as pages } from "./pages.mjs";
import { consumers as react } from "./react.mjs";
import { consumers as runners } from "./runners.mjs";
import { consumers as servers } from "./servers.mjs";

export const consumers = [...pages, ...bundlers, ...next, ...react, ...runners, ...servers];
