// The page of a block.
import type { Block } from "address-query";
import { html, nothing } from "lit";
import { Box } from "lucide";
import { isBlockNumber, isHash } from "../format/text.js";
import { totalReward } from "../records/block.js";
import { transactions } from "../records/transaction.js";
import { withdrawals } from "../records/withdrawal.js";
import * as cells from "../table/cells.js";
import { withoutColumns } from "../table/columns.js";
import type { CellContext } from "../table/context.js";
import { listTab } from "../tabs/tab.js";
import type { FactGroup } from "../facts/fact-group.js";
import type { SubjectPage } from "./page.js";
import { bothTimes, gwei, onlyIf, share } from "../facts/values.js";

const toBlockId = (id: string): number | string => (isBlockNumber(id) ? Number(id) : id);

const main = (block: Block, context: CellContext): FactGroup => ({
  title: "Block",
  facts: [
    ["Time", bothTimes(block.timestamp, context)],
    [
      "Previous and next",
      html`<span class="line">${block.height > 0 ? cells.block(block.height - 1, context) : nothing}
        ${cells.block(block.height + 1, context)}</span>`,
    ],
    ["Produced by", cells.address(block.miner, context)],
    ["Transactions", cells.integer(block.transactions_count)],
    ...onlyIf(block.internal_transactions_count, "Internal transactions", (count) => cells.integer(count)),
    ...onlyIf(block.withdrawals_count, "Withdrawals", (count) => cells.integer(count)),
    ...onlyIf(block.blob_transactions_count, "Blob transactions", (count) => cells.integer(count)),
    ["Hash", cells.text(block.hash, "mono")],
    [
      "Parent",
      cells.pageLink("block", String(Math.max(0, block.height - 1)), block.parent_hash ?? String(block.height - 1), context),
    ],
    ["Size in bytes", cells.integer(block.size)],
    ...onlyIf(block.nonce, "Nonce", (nonce) => cells.text(nonce, "mono")),
  ],
});

const cost = (block: Block, context: CellContext): FactGroup => ({
  title: "Gas and rewards",
  facts: [
    ["Gas used", share(block.gas_used, block.gas_limit)],
    ["Gas limit", cells.integer(block.gas_limit)],
    ["Base fee", gwei(block.base_fee_per_gas)],
    ["Reward", cells.coins(totalReward(block), context)],
    ...block.rewards.map(({ type, reward }) => [`– ${type ?? "Reward"}`, cells.coins(reward, context)] as const),
    ...onlyIf(block.transaction_fees, "Fees", (value) => cells.coins(value, context)),
    ...onlyIf(block.priority_fee, "Tips", (value) => cells.coins(value, context)),
    ["Burnt fees", cells.coins(block.burnt_fees, context)],
    ...onlyIf(block.blob_gas_used, "Blob gas used", (value) => cells.integer(value)),
    ...onlyIf(block.burnt_blob_fees, "Burnt blob fees", (value) => cells.coins(value, context)),
    ...onlyIf(block.difficulty, "Difficulty", (value) => cells.integer(value)),
  ],
});

export const blockPage: SubjectPage<Block> = {
  id: "block",
  label: "Block",
  icon: Box,
  isValid: (id) => isBlockNumber(id) || isHash(id),
  hint: "its number, or its hash: 0x followed by 64 hex digits",
  read: (client, id) => client.blockDetails({ block_hash_or_number: toBlockId(id) }),
  title: ({ height }) => `Block ${height}`,
  badges: ({ type }) => html`${type === "block" ? cells.badge("Canonical", "good") : cells.badge(type ?? "unknown", "warn")}`,
  figure: (block, context) => [
    html`${cells.integer(block.transactions_count)} transactions`,
    html`Produced ${cells.time(block.timestamp, { ...context, times: "relative" })}`,
  ],
  facts: (block, context) => [main(block, context), cost(block, context)],
  lists: [
    {
      tab: listTab({
        id: "transactions",
        label: "Transactions",
        records: withoutColumns(transactions, "Time", "Block", "Direction"),
        read: (client, id, _filters, options) => client.blockTransactions({ block_hash_or_number: toBlockId(id) }, options),
      }),
    },
    {
      tab: listTab({
        id: "withdrawals",
        label: "Withdrawals",
        records: withoutColumns(withdrawals, "Time", "Block"),
        read: (client, id, _filters, options) => client.blockWithdrawals({ block_hash_or_number: toBlockId(id) }, options),
      }),
      isOf: ({ withdrawals_count }) => Boolean(withdrawals_count),
    },
  ],
};
