// The audits of the fungible tokens: the sums of their transfers, compared with the current balances.
import { isCoin } from "../entry-support.js";
import type { ActionOptions, TokenBalance } from "../public.js";
import type { AuditClient, AuditReason, TokenAudit } from "./audit-types.js";
import { BalanceSum } from "./balance-sum.js";
import { toHash } from "./draft.js";
import type { HistoryEvent, TokenAsset } from "./event.js";
import type { HistoryReport } from "./public-types.js";

/** The sum of a token's transfers. */
class TokenSum extends BalanceSum {
  token: TokenAsset | null = null;
  /** The balance that the service reports. Null: it is encrypted. Undefined: the service does not list the token. */
  reported: string | null | undefined;
  /** The sums since the balances were read, except the last one. Each may have been the balance at that time. */
  readonly earlier: string[] = [];
}

export class TokenAudits {
  readonly #firstBlock: number;
  readonly #sums = new Map<string, TokenSum>();
  /** Contracts of other standards, including former ERC-20 tokens. */
  readonly #others = new Set<string>();

  /** `firstBlock` is the newest block before the balances are read. */
  constructor(firstBlock: number) {
    this.#firstBlock = firstBlock;
  }

  addBalance({ token, value }: TokenBalance): void {
    const contract = toHash(token?.address_hash);
    if (contract !== null && !isCoin(contract)) this.#getSum(contract).reported = value;
  }

  add(event: HistoryEvent): void {
    const { asset, block_number } = event;
    if (asset.type !== "token" || asset.contract === null) return;
    if (asset.standard !== "ERC-20") {
      this.#others.add(asset.contract);
      return;
    }
    const sum = this.#getSum(asset.contract);
    if (block_number > this.#firstBlock) sum.earlier.push(sum.value);
    sum.token ??= asset;
    sum.add(event);
  }

  finish({ sources }: HistoryReport, client: AuditClient, address: string, options: ActionOptions): Promise<TokenAudit[]> {
    const incomplete = sources.filter(({ kind, state }) => kind === "token_transfer" && state !== "complete");
    const reasons: AuditReason[] = [incomplete.length > 0 ? "incomplete_history" : "rebasing_token"];
    if (incomplete.some(({ omitted }) => omitted.count > 0)) reasons.unshift("omitted_records");
    const fungible = [...this.#sums].filter(([contract]) => !this.#others.has(contract));
    const audits = fungible.map(async ([contract, sum]) => {
      sum.checkSign();
      if (sum.reported === undefined) {
        // The lists leave out tokens that the address does not hold, and tokens that the service hides.
        const params = { address, contractaddress: contract };
        sum.reported = sum.value === "0" ? "0" : await client.account.tokenBalance(params, options);
      }
      const { reported, token, earlier, value, divergence } = sum;
      const agrees = divergence === null && (reported === null ? null : [...earlier, value].includes(reported));
      return { contract, token, ...sum.createAudit(reported, agrees, reasons) };
    });
    return Promise.all(audits);
  }

  #getSum(contract: string): TokenSum {
    const sum = this.#sums.get(contract) ?? new TokenSum();
    this.#sums.set(contract, sum);
    return sum;
  }
}
