// The CSV files that programs for taxes and portfolios import: templates for `toCsv`, whose records are activities.
import { createParameterError } from "../entry-support.js";
import { formatAmount, sumDecimals } from "../public.js";
import type { TokenAsset } from "./event.js";
import type { CsvTemplate } from "./export-types.js";
import { getDecimals, getFeeLeg } from "./movement.js";
import type { TemplateActivity, TemplateLeg, TemplateOptions } from "./template-types.js";
import type { FiatValue } from "./value-types.js";

/** An amount in whole units. */
interface Money {
  amount: string;
  currency: string;
  fiat: FiatValue | null | undefined;
}

/** What a row says: at most one amount each way, and a fee. */
interface Movement {
  sent?: Money | undefined;
  received?: Money | undefined;
  fee?: Money | undefined;
  /** Whether `sent` is nothing but the fee of the activity. */
  isFee?: boolean;
}

/** A symbol without characters that look like others, or like a formula. Programs know a token by its symbol. */
const PLAIN_SYMBOL = /^[\w$][\w$.+-]{0,19}$/;

/**
 * The universal template of Koinly. A swap is one row. A fee without anything sent is a row with the label `cost`, because a deposit
 * has no fee there. The value is the net worth.
 *
 * @see https://support.koinly.io/en/articles/9489976-how-to-create-a-custom-csv-file-with-your-data
 * @example
 * ```ts
 * import { activities, koinly, saveFile, toCsv } from "address-query/history";
 *
 * await saveFile(toCsv(activities(client, { address_hash }), { columns: koinly({ coin: "ETH" }) }), "koinly.csv");
 * ```
 * @throws {AddressQueryError} `invalid_parameter` without `coin`.
 */
export function koinly(options: TemplateOptions): CsvTemplate<TemplateActivity> {
  const amounts = ["Sent", "Received", "Fee", "Net Worth"].flatMap((name) => [`${name} Amount`, `${name} Currency`]);
  const labels: Record<string, string> = { airdrop: "airdrop", reward: "reward", wrap: "swap", unwrap: "swap" };
  return createTemplate(options, ["Date", ...amounts, "Label", "Description", "TxHash"], (activity, movements) =>
    joinFee(movements).map(({ sent, received, fee, isFee }) => {
      const { value, currency } = sent?.fiat ?? received?.fiat ?? {};
      const time = `${formatTime(activity)} UTC`;
      const label = isFee ? "cost" : labels[activity.kind];
      return [time, ...toCells(sent, received, fee), value, currency, label, describe(activity), activity.transaction_hash];
    }),
  );
}

/**
 * The CSV import of CoinTracking, in UTC. A swap is one row. As its users enter fees, a fee in the sent currency is part of the sent
 * amount. Any other fee is a row of the type `Other Fee`. Values are in the currency of the instance, which must be the account's.
 *
 * @see https://cointracking.info/import/import_csv/
 * @see https://cointracking.freshdesk.com/en/support/solutions/articles/29000007202-entering-fees
 * @example
 * ```ts
 * import { activities, coinTracking, saveFile, toCsv } from "address-query/history";
 *
 * await saveFile(toCsv(activities(client, { address_hash }), { columns: coinTracking({ coin: "ETH" }) }), "cointracking.csv");
 * ```
 * @throws {AddressQueryError} `invalid_parameter` without `coin`.
 */
export function coinTracking(options: TemplateOptions): CsvTemplate<TemplateActivity> {
  const amounts = ["Buy Amount", "Buy Currency", "Sell Amount", "Sell Currency", "Fee", "Fee Currency"];
  const values = ["Buy Value in Account Currency", "Sell Value in Account Currency"];
  const header = ["Type", ...amounts, "Exchange", "Trade-Group", "Comment", "Date", "Tx-ID", ...values];
  const incomes: Record<string, string> = { airdrop: "Airdrop", reward: "Mining" };
  return createTemplate(options, header, (activity, movements) =>
    joinFee(movements, true).map(({ sent, received, fee, isFee }) => {
      const single = isFee ? "Other Fee" : sent ? "Withdrawal" : (incomes[activity.kind] ?? "Deposit");
      const { key, account, kind, transaction_hash } = activity;
      return [
        ...[sent && received ? "Trade" : single, ...toCells(received, sent, fee), account, kind, describe(activity)],
        ...[formatTime(activity), transaction_hash ?? key, received?.fiat?.value, sent?.fiat?.value],
      ];
    }),
  );
}

/**
 * The generic trades of rotki: activities with something sent and something received. {@link rotkiEvents} has the others.
 *
 * @see https://github.com/rotki/rotki/blob/develop/rotkehlchen/data_import/importers/rotki_trades.py
 * @throws {AddressQueryError} `invalid_parameter` without `coin`.
 */
export function rotkiTrades(options: TemplateOptions): CsvTemplate<TemplateActivity> {
  const amounts = ["Spend Currency", "Receive Currency", "Spend Amount", "Receive Amount", "Fee", "Fee Currency"];
  return createTemplate(options, ["Location", ...amounts, "Description", "Timestamp"], (activity, movements) =>
    joinFee(movements).flatMap(({ sent, received, fee }) => {
      if (!sent || !received) return [];
      const cells = [sent.currency, received.currency, sent.amount, received.amount, fee?.amount, fee?.currency];
      return [["external", ...cells, describe(activity), toUnixMs(activity)]];
    }),
  );
}

/**
 * The generic events of rotki: what was sent, received or paid as a fee, but not exchanged. {@link rotkiTrades} has the others.
 *
 * @see https://github.com/rotki/rotki/blob/develop/rotkehlchen/data_import/importers/rotki_events.py
 * @throws {AddressQueryError} `invalid_parameter` without `coin`.
 */
export function rotkiEvents(options: TemplateOptions): CsvTemplate<TemplateActivity> {
  const header = ["Type", "Location", "Currency", "Amount", "Fee", "Fee Currency", "Description", "Timestamp"];
  return createTemplate(options, header, (activity, movements) =>
    joinFee(movements).flatMap(({ sent, received, fee }) => {
      const money = sent ?? received;
      if (!money || (sent && received)) return [];
      const type = sent ? "Spend" : activity.kind === "reward" ? "Staking" : "Income";
      const cells = [money.currency, money.amount, fee?.amount, fee?.currency];
      return [[type, "external", ...cells, describe(activity), toUnixMs(activity)]];
    }),
  );
}

/**
 * Double entries: each amount is a debit of one account and a credit of another one. The account of the wallet is `wallet`, or its
 * address in a merged history, the account of fees is `fees`, and the other accounts are the kinds of activities. The debits and
 * credits of each transaction and currency are equal.
 *
 * @throws {AddressQueryError} `invalid_parameter` without `coin`.
 */
export function doubleEntry(options: TemplateOptions): CsvTemplate<TemplateActivity> {
  const header = ["Date", "Transaction", "Account", "Currency", "Debit", "Credit", "Value", "Value Currency", "Description"];
  return createTemplate(options, header, (activity, movements) => {
    const wallet = activity.account ?? "wallet";
    const enter = (account: string, money: Money, isDebit: boolean) => [
      ...[
        formatTime(activity),
        activity.key,
        account,
        money.currency,
        isDebit ? money.amount : null,
        isDebit ? null : money.amount,
      ],
      ...[money.fiat?.value, money.fiat?.currency, describe(activity)],
    ];
    const transfer = (money: Money | undefined, debited: string, credited: string) =>
      money ? [enter(debited, money, true), enter(credited, money, false)] : [];
    return movements.flatMap(({ sent, received, isFee }) => [
      ...transfer(sent, isFee ? "fees" : activity.kind, wallet),
      ...transfer(received, wallet, activity.kind),
    ]);
  });
}

/** Creates a template from a function that returns the rows of an activity's movements. A fee is the last movement. */
function createTemplate(
  { coin, currencyOf }: TemplateOptions,
  header: readonly string[],
  createRows: (activity: TemplateActivity, movements: Movement[]) => readonly (readonly unknown[])[],
): CsvTemplate<TemplateActivity> {
  if (typeof coin !== "string" || coin === "") throw createParameterError("coin", "must be the symbol of the native coin");
  const toMoney = (activity: TemplateActivity, { asset, amount, fiat }: TemplateLeg): Money => ({
    amount: formatAmount(amount, { decimals: getDecimals(asset, amount) }),
    currency: asset.type === "native" ? coin : (currencyOf?.(asset, activity) ?? getCurrency(asset, coin)),
    fiat,
  });
  return {
    header,
    toRows(activity) {
      const [sent, received] = [activity.sent, activity.received].map((legs) => legs.map((leg) => toMoney(activity, leg)));
      const count = Math.max(sent?.length ?? 0, received?.length ?? 0);
      const movements: Movement[] = Array.from({ length: count }, (_, i) => ({ sent: sent?.[i], received: received?.[i] }));
      const fee = getFeeLeg(activity);
      if (Number(fee.amount) > 0) movements.push({ sent: toMoney(activity, { ...fee, fiat: activity.fee_fiat }), isFee: true });
      return createRows(activity, movements);
    },
  };
}

/**
 * Moves the fee to the first movement that sends something. With `isIncluded`, it must have the same currency, and the sent amount then
 * includes the fee.
 */
function joinFee(movements: readonly Movement[], isIncluded = false): readonly Movement[] {
  const fee = movements.find(({ isFee }) => isFee)?.sent;
  const payer = movements.find(({ sent, isFee }) => sent?.amount && !isFee && (!isIncluded || sent.currency === fee?.currency));
  if (!fee || !payer?.sent) return movements;
  const sent = isIncluded ? { ...payer.sent, amount: sumDecimals([payer.sent.amount, fee.amount]) } : payer.sent;
  return movements.flatMap((movement) => (movement.isFee ? [] : movement === payer ? { ...movement, sent, fee } : movement));
}

/** Returns a name for a token that no other well-known asset has: its symbol, or its contract if the symbol could deceive. */
function getCurrency({ symbol, contract, token_id }: TokenAsset, coin: string): string {
  const isPlain = symbol !== null && PLAIN_SYMBOL.test(symbol) && symbol.toUpperCase() !== coin.toUpperCase();
  return (isPlain ? symbol : (contract ?? "")) + (token_id === null ? "" : ` #${token_id}`);
}

function toCells(...moneys: readonly (Money | undefined)[]): readonly (string | undefined)[] {
  return moneys.flatMap((money) => [money?.amount, money?.currency]);
}

/** Formats the time as `2026-01-31 10:00:00`, in UTC. */
function formatTime({ timestamp }: TemplateActivity): string {
  return timestamp?.replace("T", " ").replace("Z", "") ?? "";
}

function toUnixMs({ timestamp }: TemplateActivity): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}

function describe({ kind, method }: TemplateActivity): string {
  return method === null ? kind : `${kind} ${method}`;
}
