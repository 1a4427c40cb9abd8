// The sample service: a deterministic fake of the Blockscout API behind a `fetch`.
//
// The REST lists are in rest/, the account module in account/ and GraphQL in graphql/, all over the data in ledger/. backend.ts
// chooses between them. Refusals are in access/, faults in faults/, and the gateway to several services in gateway/.

import type { Hex } from "../index.js";
import { createAccess } from "./access.js";
import { createBackend, isAccountModuleRequest } from "./backend.js";
import { readRequest } from "./read-request.js";
import { createFaultInjector } from "./faults/fault-injector.js";
import { type ApprovalState, getApprovalStates } from "./ledger/approvals.js";
import { listSampleAddresses } from "./ledger/accounts.js";
import { Chain } from "./ledger/chain.js";
import type { LedgerEvent } from "./ledger/coin-history.js";
import { findMeanings } from "./ledger/meanings.js";
import type { TransactionPosition } from "./ledger/rows.js";
import type {
  SampleActivityKind,
  SampleAddress,
  SampleApproval,
  SampleEvent,
  SampleService,
  SampleServiceOptions,
} from "./public-types.js";
import { createResponse, serializeBody } from "./responses.js";
import { parseOptions, requireNonNegative } from "./settings.js";
import { SampleSocketHub } from "./socket.js";

/** The origin for a URL that is only a path. The service ignores the origin. */
const PLACEHOLDER_ORIGIN = "https://sample.invalid";
/** Options that change the data, or count requests from the first on. */
const FIXED_OPTIONS: readonly string[] = ["seed", "chainType", "faults"];

/**
 * Creates a deterministic fake of the Blockscout API, for demos, tests and offline work.
 *
 * @remarks The service responds to the paths below `/api/v2` that this package reads, to the fourteen actions of the account module
 * at `/api`, to `getblocknobytime` of the block module, to `getLogs` of the logs module, to `eth_call` at `/api/eth-rpc` for
 * approvals, and to GraphQL queries of addresses, transactions and transfers at `/api/v1/graphql`. It has the paths of Ethereum and
 * of Celo. Its data come from a seed. Pagination, filters and errors match the chosen backend version of Blockscout. It needs
 * neither a network nor a server.
 *
 * @throws RangeError if an option is unknown or invalid.
 *
 * @example
 * ```js
 * const service = createSampleService();
 * const client = new AddressClient({ baseUrl: "https://sample.example", fetch: service.fetch });
 * const page = await client.addressLogs({ address_hash: service.addresses[0].hash });
 * ```
 */
export function createSampleService(options: SampleServiceOptions = {}): SampleService {
  let current = options;
  let settings = parseOptions(current);
  const chain = new Chain(settings.seed, settings.chainType);
  const drawFault = createFaultInjector(settings.faults);
  let backend = createBackend({ chain, settings });
  const checkAccess = createAccess();

  return {
    addresses: listSampleAddresses(chain.accounts) as [SampleAddress, ...SampleAddress[]],
    sockets: createSockets(chain),

    async fetch(input: RequestInfo | URL, init?: RequestInit) {
      const { request, signal } = readRequest(input, init, PLACEHOLDER_ORIGIN);
      const isAccountModule = isAccountModuleRequest(request);
      // Chosen before the first `await`, so that concurrent requests draw their faults in the order of the calls.
      const applyFault = drawFault(request.url);
      await delay(settings.latencyMs, signal);
      const { refusal, headers } = checkAccess(request, isAccountModule, settings);
      if (refusal) return createResponse(refusal);
      const draft = await applyFault({
        searchParams: new URL(request.url).searchParams,
        signal,
        isAccountModule,
        delay: (ms) => delay(ms, signal),
        addBlock: () => chain.addBlocks(1),
        createDraft: async () => {
          const draft = await backend.createDraft(request);
          return { ...draft, headers: { ...headers, ...draft.headers } };
        },
        serializeBody,
      });
      return createResponse(draft);
    },

    reconfigure(changes) {
      const fixed = Object.keys(changes).find((name) => FIXED_OPTIONS.includes(name));
      if (fixed !== undefined) throw new RangeError(`${fixed} cannot be changed; create another sample service`);
      const changed = { ...current, ...changes };
      settings = parseOptions(changed);
      current = changed;
      backend = createBackend({ chain, settings });
    },

    grow(blocks = 1) {
      requireNonNegative("blocks", blocks);
      chain.addBlocks(blocks);
    },

    reorganise(blocks = 1) {
      const { newBlockCount } = chain;
      if (!Number.isInteger(blocks) || blocks < 0 || blocks > newBlockCount) {
        throw new RangeError(`blocks must be an integer from 0 to ${newBlockCount}, the number of added blocks, got ${blocks}`);
      }
      chain.replaceBlocks(blocks);
    },

    getEvents: (address, fromBlock) => listEvents(chain, address.toLowerCase(), fromBlock),

    getApprovals: (address) => listApprovals(chain, address.toLowerCase()).map(createSampleApproval),

    getActivityKinds: (address) => new Map(listMeanings(chain, address.toLowerCase())),

    // Through JSON, as over the wire.
    getAllItems: (path, query = {}) => JSON.parse(JSON.stringify(backend.rest.getAllItems(path, new URLSearchParams(query)))),

    getAllRows: (action, query = {}) => backend.account.getAllRows(action, new URLSearchParams(query)),
  };
}

const listEvents = (chain: Chain, address: string, fromBlock?: number) =>
  chain.tables.history.getEvents(address, fromBlock).map((event) => createSampleEvent(chain, event));
const listApprovals = (chain: Chain, owner: string) =>
  getApprovalStates(chain, chain.tables.getTablesFor(owner).approvals.rows, owner, Date.now() / 1000);

function createSockets(chain: Chain): SampleSocketHub {
  const sockets = new SampleSocketHub();
  chain.onNewBlocks = (first) => sockets.announceBlocks((address) => chain.tables.history.getEvents(address, first));
  return sockets;
}

function listMeanings(chain: Chain, address: string): (readonly [key: string, SampleActivityKind])[] {
  const { tables } = chain;
  const scripted = tables.meanings.value.filter(({ account }) => account === address);
  if (scripted.length > 0) return scripted.map((row) => [getHash(chain, row), row.kind]);
  return findMeanings(address, tables.history.getEvents(address)).map(([event, kind]) => {
    const { block_number, transaction_index, index } = event;
    if (transaction_index !== null) return [getHash(chain, { block_number, transaction_index }), kind];
    return [`${event.kind}:${event.kind === "withdrawal" ? index : block_number}`, kind];
  });
}

const getHash = (chain: Chain, { block_number, transaction_index }: TransactionPosition) =>
  chain.getTransactionHash(block_number, transaction_index) as Hex;

function createSampleApproval({ grant, row, remaining }: ApprovalState): SampleApproval {
  const { kind, token, spender, tokenId, amount, expires } = grant;
  return {
    kind,
    token: token as Hex,
    spender: spender as Hex,
    token_id: tokenId === null ? null : String(tokenId),
    amount: String(amount),
    remaining: remaining === null ? null : String(remaining),
    expires,
    block_number: row.block_number,
    log_index: row.index,
  };
}

function createSampleEvent(chain: Chain, { token, isSuccess, ...event }: LedgerEvent): SampleEvent {
  const { block_number, transaction_index, from, to } = event;
  const transaction_hash = transaction_index === null ? null : getHash(chain, { block_number, transaction_index });
  return {
    timestamp: chain.getUnixTime(block_number),
    transaction_hash,
    token: (token?.hash ?? null) as Hex | null,
    success: isSuccess,
    ...event,
    from: from as Hex | null,
    to: to as Hex | null,
  };
}

/** Waits; `Infinity` waits only for the signal. Rejects with the signal's reason as soon as it is aborted, as `fetch` does. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason ?? new DOMException("This operation was aborted", "AbortError"));
    };
    const onTimeout = () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(onTimeout, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
