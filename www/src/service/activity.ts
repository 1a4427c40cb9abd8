// Describes why a request takes long.
import type { ClientEvent } from "address-query";
import { networkLog } from "./network-log.js";

const inSeconds = (ms: number | undefined): string => `${Math.max(1, Math.round((ms ?? 0) / 1000))} s`;

/** Waits below this are not worth a message. */
const SHORT_WAIT_MS = 1000;

/** Describes why pending requests wait, or returns "". */
export function describeActivity(): string {
  const known = new Set<string>();
  for (const { event } of networkLog.entries.toReversed()) {
    if (event.kind === "drift" || known.has(event.url)) continue;
    known.add(event.url);
    const description = describe(event);
    if (description) return description;
  }
  return "";
}

function describe({ kind, ms, code }: ClientEvent): string {
  if ((ms ?? 0) < SHORT_WAIT_MS) return "";
  if (kind === "wait" || (kind === "retry" && code === "rate_limited")) return `Rate limited: waiting about ${inSeconds(ms)}.`;
  return kind === "retry" ? `Request failed (${code ?? "unknown"}). Retrying in about ${inSeconds(ms)}.` : "";
}
