// Says in words what a client is doing that takes long.
import type { ClientEvent } from "address-query";
import { networkLog } from "./network-log.js";

const inSeconds = (ms: number | undefined): string => `${Math.max(1, Math.round((ms ?? 0) / 1000))} s`;

/** Waits below this are not worth a message. */
const SHORT_WAIT_MS = 1000;

/** What the last event says about waiting, or "". */
export function describeActivity(): string {
  const event = networkLog.entries.at(-1)?.event;
  if (!event || event.kind === "drift") return "";
  return describe(event);
}

function describe({ kind, ms, code }: ClientEvent): string {
  if (kind === "retry" && code === "rate_limited") return `Rate limited: waiting about ${inSeconds(ms)}.`;
  if (kind === "retry") return `Request failed (${code ?? "unknown"}). Retrying in about ${inSeconds(ms)}.`;
  if (kind === "wait" && (ms ?? 0) >= SHORT_WAIT_MS) return `Waiting about ${inSeconds(ms)} for the rate limit.`;
  return "";
}
