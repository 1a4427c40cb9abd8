// Calls the user's callbacks with objects. The WebAssembly module calls these functions with plain values.
import type { DriftKind, ErrorCode, EventKind } from "./codes.js";
import { omitUndefined } from "./errors.js";

/** A difference between a response and the documentation of the service. */
export interface Drift {
  /** The kind of difference. */
  kind: DriftKind;
  /** The type of the record: `TokenTransfer`. */
  record: string;
  /** The name of the field. */
  field: string;
  /** What was found: a short, printable excerpt. */
  found: string;
}

/** An event of a client, for logs and metrics. */
export interface ClientEvent {
  /** The kind of event. */
  kind: EventKind;
  /** The URL, without the API key. */
  url: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** A duration in milliseconds. {@link EventKind} says which. */
  ms?: number;
  /** HTTP status of the response. 0 if the browser hides it, as for a redirect that is not followed. */
  status?: number;
  /** Why the attempt failed. */
  code?: ErrorCode;
  /** Credits that remain of the API key's plan. Negative if more were used. */
  credits?: number;
}

/** A record that failed validation and was omitted (option `badRecords: "skip"`). */
export interface BadRecord {
  /** The path of the invalid value: `items[3].token.decimals`. */
  path: string;
  /** What the documentation specifies. */
  expected: string;
  /** What was found: a short, printable excerpt. */
  found: string;
  /** The record's JSON, as the service sent it. Untrusted. */
  raw: string;
}

/** @internal */
export function emitDrift(callback: (drift: Drift) => void, kind: DriftKind, record: string, field: string, found: string): void {
  callback({ kind, record, field, found });
}

/** @internal */
export function emitBadRecord(callback: (record: BadRecord) => void, path: string, expected: string, found: string, raw: string): void {
  callback({ path, expected, found, raw });
}

/** @internal */
export function emitEvent(
  callback: (event: ClientEvent) => void,
  kind: EventKind,
  url: string,
  attempt: number,
  ms: number | undefined,
  status: number | undefined,
  code: ErrorCode | undefined,
  credits: number | undefined,
): void {
  callback(omitUndefined({ kind, url, attempt, ms, status, code, credits }) as ClientEvent);
}
