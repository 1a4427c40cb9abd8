// `auditBalance`: checks whether the balances of an address are the sums of its history.
import { createFreshOptions, getNewestBlock, sumOmitted } from "../entry-support.js";
import type { AuditClient, AuditParams, BalanceAudit } from "./audit-types.js";
import { CoinAudit } from "./coin-audit.js";
import { history } from "./history.js";
import { parseSelection } from "./params.js";
import type { HistoryReport } from "./public-types.js";
import { TokenAudits } from "./token-audit.js";

/**
 * Recomputes the balances of an address from its history, and compares them with the balances that the service reports. Exact.
 *
 * @remarks
 * - The native coin: received − sent − fees, of transactions and internal transactions, plus withdrawals and block rewards. It is
 *   compared with every record of the balance history and with the current balance. A divergence names the first block.
 * - Each ERC-20 token: received − sent. It is compared with the current balance.
 *
 * The history is read up to the newest block at the start. Blocks that arrive later do not disturb the audit. It reads the whole
 * history, oldest first, and holds a block, a sum per token and some pages of the balance history.
 *
 * @example
 * ```ts
 * import { auditBalance } from "address-query/history";
 *
 * const { balanced, native } = await auditBalance(client, { address_hash });
 * if (!balanced) console.warn(native.divergence?.block, native.reasons);
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid, and every failure of a request.
 */
export async function auditBalance(client: AuditClient, params: AuditParams): Promise<BalanceAudit> {
  parseSelection(client, params, ["address_hash", "signal"]);
  const { address_hash, signal } = params;
  const options = createFreshOptions(signal);
  const tokens = new TokenAudits(await getNewestBlock(client, options));
  const balances = client.addressTokens({ address_hash, type: "ERC-20" }, options);
  const readTokens = async () => {
    for await (const balance of balances) tokens.addBalance(balance);
  };
  const [info] = await Promise.all([client.address({ address_hash }, options), readTokens()]);
  const block = await getNewestBlock(client, options);
  const records = client.addressCoinBalanceHistory({ address_hash }, { ...options, order: "asc", toBlock: block, prefetch: 0 });
  const coin = new CoinAudit(info, block, records[Symbol.asyncIterator]());
  const events = history(client, { address_hash, order: "asc", to: block, signal });
  for await (const event of events) {
    await coin.add(event);
    tokens.add(event);
  }
  // Not null, because the iteration has ended.
  const report = events.report as HistoryReport;
  const [native, tokenAudits] = await Promise.all([
    coin.finish(report, client, options),
    tokens.finish(report, client, address_hash, options),
  ]);
  const balanced = [native, ...tokenAudits].every(({ agrees }) => agrees !== false);
  const omitted = sumOmitted(report.omitted, records.omitted, balances.omitted);
  return { block, balanced, native, tokens: tokenAudits, report, omitted };
}
