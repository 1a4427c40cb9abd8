// Totals of the network log.
import type { NetworkEntry } from "../service/network-log.js";

/** The window over which the request rate is measured. */
const RATE_MS = 10_000;

export interface Summary {
  requests: number;
  retries: number;
  waits: number;
  drifts: number;
  /** Median time to the headers of a response, in milliseconds. Null: no response yet. */
  medianMs: number | null;
  /** Requests per second, over the last ten seconds. */
  rate: number;
  /** How the service limits the rate now. */
  limit: string;
}

export function summarize(entries: readonly NetworkEntry[], now: number): Summary {
  const ofKind = (kind: string) => entries.filter(({ event }) => event.kind === kind);
  const requests = ofKind("request");
  const times = ofKind("response").map(({ event }) => ("ms" in event ? (event.ms ?? 0) : 0));
  return {
    requests: requests.length,
    retries: ofKind("retry").length,
    waits: ofKind("wait").length,
    drifts: ofKind("drift").length,
    medianMs: times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? null,
    rate: requests.filter(({ time }) => time > now - RATE_MS).length / (RATE_MS / 1000),
    limit: describeLimit(entries, now),
  };
}

function describeLimit(entries: readonly NetworkEntry[], now: number): string {
  const refusal = entries.findLast(({ event }) => event.kind === "retry" && event.code === "rate_limited");
  const pauseEnd = refusal && "ms" in refusal.event ? refusal.time + (refusal.event.ms ?? 0) : 0;
  if (pauseEnd > now) return `paused by the service, about ${Math.ceil((pauseEnd - now) / 1000)} s left`;
  // A wait of 0 ms is for a free request slot.
  const isSlow = ({ event, time }: NetworkEntry) => event.kind === "wait" && (event.ms ?? 0) > 0 && time > now - RATE_MS;
  const wait = entries.findLast(isSlow);
  if (wait && "ms" in wait.event) return `the last wait for it, or for a free slot, was ${Math.round(wait.event.ms ?? 0)} ms`;
  return refusal ? `none now, last refusal ${Math.round((now - refusal.time) / 1000)} s ago` : "none noticed";
}
