// Fault injection: draws the faults of requests, in a reproducible random order.

import type { FaultKind, SampleFaults } from "../public-types.js";
import { createRandom } from "../random.js";
import type { ResponseDraft } from "../response-draft.js";
import { FAULTS, type FaultyRequest } from "./fault-kinds.js";

const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];

/** The kinds of fault that a client can recover from by retrying. A 403 is final. */
export const RECOVERABLE_KINDS: readonly FaultKind[] = FAULT_KINDS.filter((kind) => kind !== "html_forbidden_page");

/** Draws the faults of one service. With the same options, the n-th request always gets the same fault. */
export class FaultInjector {
  readonly #seed: number;
  readonly #rate: number;
  readonly #kinds: readonly FaultKind[];
  #requestCount = 0;

  constructor({ seed = 1, rate = 0.3, kinds = RECOVERABLE_KINDS, ...rest }: SampleFaults) {
    const [unknownOption] = Object.keys(rest);
    if (unknownOption !== undefined)
      throw new RangeError(`unknown option faults.${unknownOption}; valid options are seed, rate, kinds`);
    if (typeof rate !== "number" || !(rate >= 0 && rate <= 1))
      throw new RangeError(`faults.rate must be a number from 0 to 1, got ${rate}`);
    if (!Array.isArray(kinds) || kinds.length === 0) throw new RangeError("faults.kinds must be a non-empty array");
    const unknownKind = kinds.find((kind) => !Object.hasOwn(FAULTS, kind));
    if (unknownKind !== undefined) {
      throw new RangeError(`unknown kind in faults.kinds: ${unknownKind}; valid kinds are ${FAULT_KINDS.join(", ")}`);
    }
    this.#seed = seed;
    this.#rate = rate;
    this.#kinds = [...kinds];
  }

  /** Draws the fault of the next request: a function from the request to the draft of its response. */
  drawFault(): (request: Omit<FaultyRequest, "random">) => ResponseDraft | Promise<ResponseDraft> {
    const random = createRandom("fault", this.#seed, this.#requestCount++);
    if (!random.nextBoolean(this.#rate)) return (request) => request.createDraft();
    const createFault = FAULTS[random.pick(this.#kinds)];
    return (request) => createFault({ ...request, random });
  }
}
