// Fault injection: draws the faults of requests, in a reproducible random order.

import type { FaultKind, SampleFaults, ScriptedFault } from "../public-types.js";
import { createRandom } from "../random.js";
import type { ResponseDraft } from "../responses.js";
import { rejectUnknown } from "../settings.js";
import { FAULTS, type FaultyRequest } from "./fault-kinds.js";

const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];

const UNRECOVERABLE_KINDS: readonly FaultKind[] = ["html_forbidden_page", "cdn_forbidden", "wrong_type", "hostile_value"];

/** The kinds of fault that a client can recover from by retrying. A 403, an invalid record and an unreadable value are final. */
export const RECOVERABLE_KINDS: readonly FaultKind[] = FAULT_KINDS.filter((kind) => !UNRECOVERABLE_KINDS.includes(kind));

interface ScriptEntry {
  readonly fault: FaultKind;
  matches(url: string): boolean;
  remaining: number;
}

/**
 * Creates the function that draws the fault of the next request, and returns how to create its response. With the same options, the
 * n-th request always gets the same fault. A scripted fault replaces the random one, and does not change later ones.
 */
export function createFaultInjector(options: SampleFaults) {
  const { seed = 1, script = [], kinds = RECOVERABLE_KINDS } = options;
  const { rate = script.length > 0 ? 0 : 0.3 } = options;
  rejectUnknown(options, ["seed", "rate", "kinds", "script"], "faults.");
  if (typeof rate !== "number" || !(rate >= 0 && rate <= 1))
    throw new RangeError(`faults.rate must be a number from 0 to 1, got ${rate}`);
  if (!Array.isArray(kinds) || kinds.length === 0) throw new RangeError("faults.kinds must be a non-empty array");
  for (const kind of kinds) checkKind(kind, "faults.kinds");
  if (!Array.isArray(script)) throw new RangeError("faults.script must be an array");
  const drawnKinds: readonly FaultKind[] = [...kinds];
  const entries: ScriptEntry[] = script.map(parseScriptEntry);
  let requestCount = 0;
  return (url: string) => {
    const random = createRandom("fault", seed, requestCount++);
    const randomKind = random.nextBoolean(rate) ? random.pick(drawnKinds) : undefined;
    const entry = entries.find(({ remaining, matches }) => remaining > 0 && matches(url));
    if (entry) entry.remaining -= 1;
    const kind = entry?.fault ?? randomKind;
    return (request: Omit<FaultyRequest, "random">): ResponseDraft | Promise<ResponseDraft> =>
      kind === undefined ? request.createDraft() : FAULTS[kind]({ ...request, random });
  };
}

function parseScriptEntry(entry: ScriptedFault): ScriptEntry {
  const { match, fault, times = 1 } = entry;
  rejectUnknown(entry, ["match", "fault", "times"], "", " in faults.script");
  if (typeof match !== "string" && !(match instanceof RegExp))
    throw new RangeError(`match in faults.script must be a string or a RegExp, got ${match}`);
  checkKind(fault, "faults.script");
  if (times !== Number.POSITIVE_INFINITY && (!Number.isInteger(times) || times < 0))
    throw new RangeError(`times in faults.script must be a non-negative integer or Infinity, got ${times}`);
  // `search` ignores the position that an expression with the flag g remembers.
  const matches = (url: string) => (typeof match === "string" ? url.includes(match) : url.search(match) >= 0);
  return { fault, matches, remaining: times };
}

function checkKind(kind: FaultKind, option: string): void {
  if (!Object.hasOwn(FAULTS, kind))
    throw new RangeError(`unknown kind in ${option}: ${kind}; valid kinds are ${FAULT_KINDS.join(", ")}`);
}
