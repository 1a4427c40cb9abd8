// Reads all approval events of an owner, and finds the approvals that are in force after them.
import { sumOmitted } from "../entry-support.js";
import type { ActionOptions, EventLog, IncompleteBlock, Omitted } from "../public.js";
import { type Grant, getGrantId, readGrant, TOPICS, toWord } from "./approval-log.js";
import type { ApprovalsClient } from "./public-types.js";

/** What was read so far: JSON. */
export interface EventPosition {
  /** The newest block when the call started. */
  block: number;
  /** Index in `listRanges` of the range that is being read. */
  range: number;
  /** The resume token of that range. Null: it has not begun. */
  token: string | null;
  /** The approvals in force. */
  grants: Grant[];
  events: number;
  incompleteBlocks: IncompleteBlock[];
  omitted: Omitted;
}

/** The position before the first request. */
export function createPosition(block: number): EventPosition {
  return { block, range: 0, token: null, grants: [], events: 0, incompleteBlocks: [], omitted: sumOmitted() };
}

/** Whether a value, from a resume token, is a position. */
export function isPosition(value: EventPosition): boolean {
  const { block, range, token, grants, events, incompleteBlocks, omitted } = value;
  return (
    [block, range, events, omitted.count].every(Number.isSafeInteger) &&
    (token === null || typeof token === "string") &&
    Array.isArray(incompleteBlocks) &&
    Array.isArray(omitted.first) &&
    grants.every(isGrant)
  );
}

function isGrant({ kind, token, spender, tokenId, amount, expires, source, event }: Grant): boolean {
  const isAddress = (hash: string) => /^0x[\da-f]{40}$/.test(hash);
  const isInteger = (digits: string) => /^\d{1,78}$/.test(digits);
  return (
    /^(allowance|token|operator|permit2)$/.test(kind) &&
    isAddress(token) &&
    isAddress(spender) &&
    (tokenId === null || isInteger(tokenId)) &&
    isInteger(amount) &&
    /^(chain|event)$/.test(source) &&
    (expires === null || typeof expires === "number") &&
    Number.isSafeInteger(event.block_number)
  );
}

export class ApprovalReader {
  readonly #client: ApprovalsClient;
  readonly #owner: string;
  readonly #permit2: string;
  readonly #grants = new Map<string, Grant>();
  #state: Omit<EventPosition, "grants">;

  constructor(client: ApprovalsClient, owner: string, permit2: string, { grants, ...state }: EventPosition) {
    this.#client = client;
    this.#owner = owner;
    this.#permit2 = permit2;
    this.#state = state;
    for (const grant of grants) this.#grants.set(getGrantId(grant), grant);
  }

  /** What was read so far. */
  get position(): EventPosition {
    return { ...this.#state, grants: [...this.#grants.values()] };
  }

  /** Reads the remaining events. After a failure, call it again to continue. `onWindow` is called with the fraction that was read. */
  async read(options: ActionOptions, onWindow: (fraction: number) => void): Promise<void> {
    const queries = this.#listQueries();
    for (; this.#state.range < queries.length; this.#state.range++, this.#state.token = null) {
      const { block, range, token, incompleteBlocks, omitted } = this.#state;
      const params = { fromBlock: 0, toBlock: block, ...queries[range] };
      const logs = this.#client.logs.getLogs.all(params, { ...options, resume: token ?? undefined });
      for await (const window of logs.windows()) {
        this.#addAll(window);
        this.#state.token = logs.resumeToken;
        const { report } = logs;
        if (!report) continue;
        this.#state.incompleteBlocks = [...incompleteBlocks, ...report.incompleteBlocks];
        this.#state.omitted = sumOmitted(omitted, report.omitted);
        onWindow((range + (report.nextBlock ?? block) / (block || 1)) / queries.length);
      }
      onWindow((range + 1) / queries.length);
    }
  }

  /** Replaces an approval with the on-chain one, which may be revoked. */
  update(grant: Grant): void {
    this.#grants.set(getGrantId(grant), grant);
  }

  /** The queries that together have all events. A query has at most two topics, because it must state how they are combined. */
  #listQueries() {
    const topic1 = `0x${toWord(this.#owner)}`;
    const both = { topic1, topic0_1_opr: "and" } as const;
    return [
      { topic0: TOPICS.approval, ...both },
      { topic0: TOPICS.approvalForAll, ...both },
      { address: this.#permit2, topic1 },
    ];
  }

  /** Adds events of whole blocks. */
  #addAll(logs: readonly EventLog[]): void {
    this.#state.events += logs.length;
    const grants = logs.flatMap((log) => readGrant(log, this.#owner, this.#permit2) ?? []);
    // Within a block, nothing else orders them.
    grants.sort((a, b) => a.event.block_number - b.event.block_number || (a.event.log_index ?? 0) - (b.event.log_index ?? 0));
    for (const grant of grants) {
      const id = getGrantId(grant);
      // Adding it again makes it the newest in the map.
      this.#grants.delete(id);
      if (grant.amount !== "0") this.#grants.set(id, grant);
    }
  }
}
