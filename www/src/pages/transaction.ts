// The page of a transaction.
import type { Transaction } from "address-query";
import { html, nothing } from "lit";
import { ArrowLeftRight } from "lucide";
import { cleanText, isHash } from "../format/text.js";
import { internalTransactions } from "../records/internal-transaction.js";
import { logs } from "../records/log.js";
import { stateChanges } from "../records/state-change.js";
import { allTokenTransfers } from "../records/token-transfer.js";
import { isFailed } from "../records/transaction.js";
import { TOKEN_TYPES, tokenTypeFilter } from "../lists/filters.js";
import { withoutColumns } from "../table/columns.js";
import * as cells from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import { listTab } from "../tabs/tab.js";
import type { FactGroup } from "../facts/fact-group.js";
import type { SubjectPage } from "./page.js";
import "./summary.js";
import { beside, bothTimes, gwei, onlyIf, parameterFacts, share, worth } from "../facts/values.js";

const TYPES: Readonly<Record<number, string>> = { 0: "Legacy", 1: "Access list", 2: "EIP-1559", 3: "Blobs", 4: "EIP-7702" };

function state(row: Transaction) {
  if (isFailed(row)) return cells.badge("Failed", "bad");
  return row.block_number === null ? cells.badge("Pending", "warn") : cells.badge("Success", "good");
}

const main = (row: Transaction, context: CellContext): FactGroup => ({
  title: "Transaction",
  facts: [
    ["Result", beside(state(row), isFailed(row) && row.result && row.result !== "error" ? cleanText(row.result) : nothing)],
    ...(row.revert_reason
      ? [["Reverted", cells.text(row.revert_reason.method_call ?? row.revert_reason.raw, "mono")] as const]
      : []),
    ...parameterFacts(row.revert_reason?.parameters ?? []),
    ["Time", bothTimes(row.timestamp, context)],
    [
      "Block",
      beside(
        cells.block(row.block_number, context),
        row.confirmations ? html`${cells.integer(row.confirmations)} confirmations` : nothing,
      ),
    ],
    ["From", cells.address(row.from, context)],
    [row.to ? "To" : "Created contract", cells.address(row.to ?? row.created_contract, context)],
    ["Method", row.method ? cells.badge(row.method) : cells.none("Not a contract call")],
    ["Value", worth(row.value, row.exchange_rate, context)],
    ...onlyIf(row.historic_exchange_rate, "Value on that day", (price) => worth(row.value, price, context)),
  ],
});

const cost = (row: Transaction, context: CellContext): FactGroup => ({
  title: "Fee and gas",
  facts: [
    ["Fee", worth(row.fee?.value ?? null, row.exchange_rate, context)],
    ...onlyIf(row.transaction_burnt_fee, "Burnt", (value) => cells.coins(value, context)),
    ...onlyIf(row.priority_fee, "Tip", (value) => cells.coins(value, context)),
    ...onlyIf(row.l1_fee, "Fee of the parent chain", (value) => cells.coins(value, context)),
    ["Gas used", share(row.gas_used, row.gas_limit)],
    ["Gas limit", cells.integer(row.gas_limit)],
    ["Gas price", gwei(row.gas_price)],
    ...onlyIf(row.base_fee_per_gas, "Base fee", gwei),
    ...onlyIf(row.max_fee_per_gas, "Highest price", gwei),
    ["Type", cells.text(row.type === null ? null : (TYPES[row.type] ?? `Type ${row.type}`))],
    ["Nonce", cells.integer(row.nonce)],
    ["Position in the block", cells.integer(row.position)],
  ],
});

const call = ({ decoded_input, raw_input }: Transaction): FactGroup => ({
  title: "Call",
  isWide: true,
  facts: [
    ...onlyIf(decoded_input?.method_call, "Function", (signature) => cells.text(signature, "mono")),
    ...parameterFacts(decoded_input?.parameters ?? []),
    ["Call data", raw_input === "0x" ? cells.none("Empty") : cells.text(raw_input, "mono")],
  ],
});

export const transactionPage: SubjectPage<Transaction> = {
  id: "transaction",
  label: "Transaction",
  icon: ArrowLeftRight,
  isValid: isHash,
  hint: "0x followed by 64 hex digits",
  read: (client, transaction_hash) => client.transaction({ transaction_hash }),
  badges: (row) => html`${state(row)}${row.transaction_types.map((type) => cells.badge(type.replaceAll("_", " ")))}`,
  figure: (row, context) => [cells.coins(row.value, context), html`Fee ${cells.coins(row.fee?.value ?? null, context)}`],
  facts: (row, context) => [main(row, context), cost(row, context), call(row)],
  lead: (row, context) => html`<aq-transaction-summary .transaction=${row} .context=${context}></aq-transaction-summary>`,
  lists: [
    {
      tab: listTab({
        id: "token-transfers",
        label: "Token transfers",
        records: withoutColumns(allTokenTransfers, "Time", "Transaction"),
        filters: [tokenTypeFilter(TOKEN_TYPES)],
        read: (client, transaction_hash, filters, options) =>
          client.transactionTokenTransfers({ transaction_hash, ...filters }, options),
      }),
    },
    {
      tab: listTab({
        id: "internal-transactions",
        label: "Internal transactions",
        records: withoutColumns(internalTransactions, "Time", "Block", "Transaction", "Direction"),
        read: (client, transaction_hash, _filters, options) =>
          client.transactionInternalTransactions({ transaction_hash }, options),
      }),
    },
    {
      tab: listTab({
        id: "logs",
        label: "Logs",
        records: withoutColumns(logs, "Time", "Block", "Transaction"),
        read: (client, transaction_hash, _filters, options) => client.transactionLogs({ transaction_hash }, options),
      }),
    },
    {
      tab: listTab({
        id: "state-changes",
        label: "State changes",
        records: stateChanges,
        read: (client, transaction_hash, _filters, options) => client.transactionStateChanges({ transaction_hash }, options),
      }),
    },
  ],
};
