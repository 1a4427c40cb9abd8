// Which blocks are final: a reorganisation no longer replaces them, and the service adds nothing to them.
import type { HistoryEvent } from "../history/index.js";

/** The depth of a block that is final, by chain: several minutes of consensus, or the time until a rollup is posted to its parent chain. */
const DEPTHS: Readonly<Record<number, number>> = {
  1: 96,
  10: 900,
  61: 10_000,
  100: 64,
  137: 256,
  8453: 900,
  42161: 7_200,
  42220: 1_800,
  11155111: 96,
};
/** The depth on other chains, as of `watch`. */
const DEFAULT_DEPTH = 12;
/** The service adds some events late. */
const LATE_MS = 120_000;

/** Finds the last final block: of the newest event, oldest last, that is deep and old enough. Undefined: none is. */
export function findFinal(events: readonly HistoryEvent[], head: number, chainId: number | undefined): number | undefined {
  const last = head - (DEPTHS[chainId ?? 0] ?? DEFAULT_DEPTH);
  const isFinal = ({ block_number, timestamp }: HistoryEvent) =>
    block_number <= last && Date.parse(timestamp ?? "") <= Date.now() - LATE_MS;
  return events.find(isFinal)?.block_number;
}
