// The newest transactions, token transfers and internal transactions of an address, and values derived from them.
import type { AddressClient } from "address-query";
import { readNewest } from "../address/activity.js";
import { type Names, readNames } from "../address/names.js";
import { readShared } from "../address/shared-reading.js";
import { isSameAddress } from "../format/text.js";
import type { Event, Movement } from "../records/sentence.js";

/** Maximum number of records of each list. For an address with more records in a year, a shorter period is shown. */
const MAX_RECORDS = 1000;
const COIN = { token: null, symbol: "", decimals: null };

export interface Recent {
  /** Newest first. */
  events: readonly Event[];
  /** All records are newer than this time, in Unix milliseconds. Null: these are all records. */
  since: number | null;
  /** Transfers of tokens that the instance rates as scams, among the newest ones. */
  scams: number;
  names: Names;
}

interface Row {
  hash: string;
  timeStamp: string | null;
  from: string;
  to: string | null;
  value?: string | null;
}

const toTime = ({ timeStamp }: { timeStamp: string | null }): number => Number(timeStamp) * 1000;

/** What a row moved, as seen from the address. Null: it moved nothing between the address and another one. */
function toMovement(row: Row, address: string, asset: Pick<Movement, "token" | "symbol" | "decimals">): Movement | null {
  const isIncoming = isSameAddress(row.to, address);
  const counterparty = (isIncoming ? row.from : row.to)?.toLowerCase();
  if (!counterparty || isSameAddress(counterparty, address)) return null;
  return { ...asset, hash: row.hash, time: toTime(row), isIncoming, counterparty, amount: row.value ?? null };
}

export async function readRecent(client: AddressClient, address: string): Promise<Recent> {
  const query = { address, sort: "desc", page: 1, offset: MAX_RECORDS } as const;
  const [transactions, transfers, internals, newest] = await Promise.all([
    client.account.txList(query),
    client.account.tokenTx(query),
    // Not every instance has these. The other records say the most.
    client.account.txListInternal(query).catch(() => ({ items: [] })),
    readShared(client, address, readNewest),
  ]);
  const methods = new Map(newest[0].items.map(({ hash, method }) => [hash, method ?? ""]));
  const events = new Map<string, Event>();
  for (const row of transactions.items) {
    const isFailed = row.isError === "1";
    const moved = isFailed || row.value === "0" ? null : toMovement(row, address, COIN);
    const isPaid = isSameAddress(row.from, address);
    events.set(row.hash, {
      hash: row.hash,
      time: toTime(row),
      method: methods.get(row.hash) ?? "",
      isFailed,
      to: row.to?.toLowerCase() ?? null,
      fee: isPaid && row.gasUsed && row.gasPrice ? BigInt(row.gasUsed) * BigInt(row.gasPrice) : null,
      movements: moved ? [moved] : [],
    });
  }
  const add = (moved: Movement | null) => {
    if (!moved) return;
    const { hash, time } = moved;
    const known = events.get(hash);
    if (known) known.movements.push(moved);
    else events.set(hash, { hash, time, method: "", isFailed: false, to: null, fee: null, movements: [moved] });
  };
  for (const row of transfers.items) {
    const asset = { token: row.contractAddress, symbol: row.tokenSymbol ?? row.tokenName ?? "", decimals: row.tokenDecimal };
    add(toMovement(row, address, asset));
  }
  for (const row of internals.items)
    if (row.isError !== "1" && row.value !== "0") add(toMovement({ ...row, hash: row.transactionHash }, address, COIN));
  const ends = [transactions, transfers, internals]
    .filter(({ items }) => items.length >= MAX_RECORDS)
    .map(({ items }) => items.at(-1));
  const since = ends.length === 0 ? null : Math.max(...ends.map((row) => (row ? toTime(row) : 0)));
  return {
    events: [...events.values()].filter(({ time }) => since === null || time >= since).sort((a, b) => b.time - a.time),
    since,
    scams: newest[1].items.filter(({ token }) => token?.reputation === "scam").length,
    names: await readShared(client, address, readNames),
  };
}
