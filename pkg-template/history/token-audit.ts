// The audits of the fungible tokens: the sums of their transfers, compared with the current balances.
import type { TokenBalance } from "../records.js";
import type { AuditClient, AuditParams, AuditReason, Divergence, TokenAudit } from "./audit-types.js";
import { toLower } from "./draft.js";
import type { HistoryEvent, TokenAsset } from "./event.js";
import { getBalanceChange } from "./movement.js";
import type { HistoryReport } from "./public-types.js";

/** What is known of a token. */
interface TokenState {
  token: TokenAsset | null;
  /** The balance that the service tells. Null: it is encrypted. Undefined: the service does not list the token. */
  reported: string | null | undefined;
  sum: bigint;
  /** The block of the last transfer. */
  block: number;
  /** The sums since the balances were read, except the last one. Each of them may have been the balance then. */
  sums: bigint[];
  divergence: Divergence | null;
  isAmountMissing: boolean;
}

export class TokenAudits {
  readonly #firstBlock: number;
  readonly #states = new Map<string, TokenState>();
  /** Contracts of other standards, also of those that were ERC-20 tokens before. */
  readonly #others = new Set<string>();

  /** `firstBlock` is the newest block before the balances are read. */
  constructor(firstBlock: number) {
    this.#firstBlock = firstBlock;
  }

  addBalance({ token, value }: TokenBalance): void {
    const contract = toLower(token?.address_hash);
    if (contract !== null) this.#getState(contract).reported = value;
  }

  add(event: HistoryEvent): void {
    const { asset, block_number } = event;
    if (asset.type !== "token" || asset.contract === null) return;
    if (asset.standard !== "ERC-20") {
      this.#others.add(asset.contract);
      return;
    }
    const state = this.#getState(asset.contract);
    if (block_number > state.block) checkSign(state);
    if (block_number > this.#firstBlock) state.sums.push(state.sum);
    const change = getBalanceChange(event);
    state.token ??= asset;
    state.block = block_number;
    state.isAmountMissing ||= change === null;
    state.sum += change ?? 0n;
  }

  finish({ sources }: HistoryReport, client: AuditClient, { address_hash, signal }: AuditParams): Promise<TokenAudit[]> {
    const isIncomplete = sources.some(({ kind, state }) => kind === "token_transfer" && state !== "complete");
    const fungible = [...this.#states].filter(([contract]) => !this.#others.has(contract));
    const audits = fungible.map(async ([contract, state]) => {
      checkSign(state);
      if (state.reported === undefined) {
        // The lists leave out tokens that the address does not hold, and those that the service hides.
        const params = { address: address_hash, contractaddress: contract };
        state.reported = state.sum === 0n ? "0" : await client.account.tokenBalance(params, { signal });
      }
      return createAudit(contract, state, isIncomplete);
    });
    return Promise.all(audits);
  }

  #getState(contract: string): TokenState {
    const existing = this.#states.get(contract);
    const state = existing ?? {
      token: null,
      reported: undefined,
      sum: 0n,
      block: -1,
      sums: [],
      divergence: null,
      isAmountMissing: false,
    };
    if (existing === undefined) this.#states.set(contract, state);
    return state;
  }
}

/** No balance is negative after a block. */
function checkSign(state: TokenState): void {
  const { sum, block } = state;
  if (sum < 0n) state.divergence ??= { block, lastAgreeing: null, computed: String(sum), reported: null };
}

function createAudit(contract: string, state: TokenState, isIncomplete: boolean): TokenAudit {
  const { token, sum, sums, divergence, isAmountMissing, reported = null } = state;
  const hasReported = [...sums, sum].some((balance) => String(balance) === reported);
  const agrees = divergence === null && (reported === null ? null : hasReported);
  const known: AuditReason[] = isIncomplete ? ["incomplete_history"] : [];
  if (isAmountMissing) known.push("unknown_amount");
  if (known.length === 0) known.push("rebasing_token");
  return { contract, token, computed: String(sum), reported, agrees, divergence, reasons: agrees === false ? known : [] };
}
