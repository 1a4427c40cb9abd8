// Reads the records of an export, and says where to continue after them.
import { createParameterError, digestRequest, sumOmitted } from "../entry-support.js";
import type { Checkpoint } from "../history/event-call.js";
import { type CallPlan, isAddressQueryError, type ListPlan, type Omitted } from "../public.js";
import type { Report } from "./export-report.js";
import type { ExportCall, ExportSource } from "./export-types.js";

/** The members that calls of the package have. */
interface AnyCall extends ExportCall<object, Report> {
  readonly omitted?: Omitted;
  /** Of a history, and of what is derived from it. */
  readonly checkpoint?: Checkpoint | null;
  identify?(): Promise<string>;
  continueFrom?(checkpoint: Checkpoint): AnyCall;
  /** Of a list. */
  pages?(): AsyncIterator<{ items: object[]; resumeToken: string | null }>;
  /** Of a range. */
  windows?(): AsyncIterator<object[]>;
  /** Of a list and a range. A history has another plan. */
  plan?(): CallPlan & Partial<ListPlan<AnyCall>>;
}

/** Identifies what a source reads. Null: it does not say so. */
export async function identifySource(source: ExportSource<object>): Promise<string | null> {
  const call = (typeof source === "function" ? source(undefined) : source) as AnyCall;
  if (call.identify) return call.identify();
  if (!call.pages && !call.windows) return null;
  const { client, operation, params, options } = getPlan(call);
  const toPlain = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
  return digestRequest(
    client as Parameters<typeof digestRequest>[0],
    JSON.stringify([operation, params, options], toPlain),
    null,
  );
}

/** The records of one call, in groups of what one request returns where the call says so. */
export class SourceReader {
  readonly #call: AnyCall;
  readonly #iterator: AsyncIterator<unknown>;
  /** Whether groups are pages or windows. */
  readonly isGrouped: boolean;
  #token: string | null;

  constructor(source: ExportSource<object>, checkpoint: Checkpoint | null) {
    const call = continueCall(source, checkpoint);
    this.#call = call;
    this.#token = checkpoint?.token ?? null;
    this.isGrouped = "pages" in call || "windows" in call;
    this.#iterator = call.pages?.() ?? call.windows?.() ?? call[Symbol.asyncIterator]();
  }

  /** Returns the next records. Null: the end. */
  async next(): Promise<readonly object[] | null> {
    const { done, value } = await this.#iterator.next();
    if (done) return null;
    if (!this.isGrouped) return [value as object];
    const group = value as object[] | { items: object[]; resumeToken: string | null };
    const { items, resumeToken } = Array.isArray(group) ? { items: group, resumeToken: this.#call.resumeToken } : group;
    this.#token = resumeToken;
    return items;
  }

  /** Where to continue after the records so far, and after what was read before `error`. Null: at the beginning, or at the end. */
  getCheckpoint(error?: unknown): Checkpoint | null {
    if (this.#call.identify) return this.#call.checkpoint ?? null;
    const failed = isAddressQueryError(error) ? error.resumeToken : undefined;
    const token = failed ?? (this.isGrouped ? this.#token : this.#call.resumeToken);
    return token === null ? null : { token, memory: {} };
  }

  get report(): Report | null {
    return this.#call.report ?? null;
  }

  get omitted(): Omitted {
    return this.#call.omitted ?? (this.report?.["omitted"] as Omitted | undefined) ?? sumOmitted();
  }

  /** Ends the call, without waiting for a record that it may be waiting for. */
  close(): void {
    void this.#iterator.return?.().catch(() => {});
  }
}

function continueCall(source: ExportSource<object>, checkpoint: Checkpoint | null): AnyCall {
  const start = checkpoint?.token;
  const call = (typeof source === "function" ? source(start) : source) as AnyCall;
  if (typeof call?.[Symbol.asyncIterator] !== "function")
    throw createParameterError("events", "must be a call, or a function that returns one");
  if (checkpoint === null) return call;
  if (call.continueFrom) return call.continueFrom(checkpoint);
  const { open, options } = call.pages || call.windows ? getPlan(call) : {};
  if (typeof source !== "function" && open) return open({ ...options, resume: checkpoint.token });
  const isContinued = options === undefined || options.resume === start;
  if (typeof source === "function" && isContinued) return call;
  throw createParameterError("events", "must be a function that passes its argument to the call as resume");
}

function getPlan(call: AnyCall): CallPlan & Partial<ListPlan<AnyCall>> {
  return (call as Required<AnyCall>).plan();
}
