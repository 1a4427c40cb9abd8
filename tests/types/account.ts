// How the account module looks to a strict TypeScript project; a line marked @ts-expect-error must not compile.
import { AddressClient, type AccountTransaction, type Balance, type Hex, type RangeReport, type Rows } from "address-query";

declare const client: AddressClient;
const { account } = client;
const address = "0x0000000000000000000000000000000000000001";
const contractaddress = address;

/** Compiles only where both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

export async function values(signal: AbortSignal): Promise<void> {
  const hex: Hex = await account.ethGetBalance({ address, block: "latest" }, { signal, timeoutMs: 5, deadlineMs: 6, maxAttempts: 1, maxWaitMs: 7 });
  await account.ethGetBalance({ address, block: 7 });
  await account.ethGetBalance({ address, block: "7" });
  const wei = await account.balance({ address });
  same<typeof wei, string | null>(true);
  const amount = await account.tokenBalance({ address, contractaddress });
  same<typeof amount, string | null>(true);
  const balances: Balance[] = await account.balanceMulti({ address: [address] as const }, { until: "fresh", freshWithinMs: 5, signal });
  await account.balanceMulti({ address });
  same<Balance["balance"], string | null>(true);
  same<Balance["stale"], boolean | null>(true);
  void [hex, balances];

  // @ts-expect-error no such block
  account.ethGetBalance({ address, block: "newest" });
  // @ts-expect-error one address
  account.balance({ address: [address] });
  // @ts-expect-error the address is required
  account.balance({});
  // @ts-expect-error both are required
  account.tokenBalance({ address });
  // @ts-expect-error only "fresh"
  account.balanceMulti({ address }, { until: "stale" });
  // @ts-expect-error one balance is not followed
  account.balance({ address }, { until: "fresh" });
  // @ts-expect-error a balance may be null
  (await account.balance({ address })).length;
}

export async function rows(): Promise<void> {
  const transactions: Rows<AccountTransaction> = await account.txList({
    address, sort: "asc", startblock: 1, endblock: 2, page: 1, offset: 10, filter_by: "to", start_timestamp: 1, end_timestamp: 2,
  });
  same<typeof transactions.incomplete, boolean>(true);
  same<typeof transactions.message, string | null>(true);
  for (const transaction of transactions.items) {
    same<typeof transaction.value, string>(true);
    same<typeof transaction.hash, Hex>(true);
    same<typeof transaction.to, Hex | null>(true);
    same<typeof transaction.gasPrice, string | null>(true);
    same<typeof transaction.blockNumber, string>(true);
    // @ts-expect-error the receiver may be null
    transaction.to.length;
    // @ts-expect-error amounts are texts
    const value: number = transaction.value;
    void value;
  }
  for (const pending of (await account.pendingTxList({ address })).items) {
    same<typeof pending.gasUsed, string | null>(true);
    // @ts-expect-error it is in no block yet
    pending.blockNumber;
  }
  for (const call of (await account.txListInternal({ txhash: address, include_zero_value: true })).items) {
    same<typeof call.transactionHash, Hex>(true);
    same<typeof call.contractAddress, Hex | null>(true);
    same<typeof call.index, string | null>(true);
  }
  await account.txListInternal({});
  for (const transfer of (await account.tokenTx({ contractaddress })).items) {
    same<typeof transfer.value, string | null>(true);
    // @ts-expect-error has no id
    transfer.tokenID;
  }
  for (const transfer of (await account.tokenNftTx({ address })).items) {
    same<typeof transfer.tokenID, string | null>(true);
    // @ts-expect-error has no amount
    transfer.value;
  }
  for (const transfer of (await account.token1155Tx({ address })).items) {
    same<typeof transfer.tokenValue, string | null>(true);
  }
  for (const transfer of (await account.token404Tx({ address })).items) {
    same<typeof transfer.value | typeof transfer.tokenID, string | null>(true);
  }
  for (const holding of (await account.tokenList({ address })).items) {
    same<typeof holding.contractAddress, Hex>(true);
    same<typeof holding.id, string | null>(true);
    const isFungible: boolean = holding.type === "ERC-20";
    void isFungible;
  }
  for (const block of (await account.getMinedBlocks({ address, page: 1, offset: 5 })).items) {
    same<typeof block.timestamp, string | null>(true);
  }
  for (const listed of (await account.listAccounts()).items) {
    same<typeof listed.address, Hex>(true);
    same<typeof listed.balance, string | null>(true);
  }

  // @ts-expect-error the address is required
  account.txList({});
  // @ts-expect-error only "asc" and "desc"
  account.txList({ address, sort: "up" });
  // @ts-expect-error only "to" and "from"
  account.txList({ address, filter_by: "both" });
  // @ts-expect-error no such parameter
  account.tokenList({ address, page: 1 });
  // @ts-expect-error an action asked once does not resume
  account.txList({ address }, { resume: "" });
}

export async function ranges(signal: AbortSignal): Promise<RangeReport | null> {
  const reading = account.txList.all({ address, sort: "asc" }, {
    signal, timeoutMs: 5, prefetch: 0, resume: "", onProgress: ({ records }) => void records.toFixed(),
  });
  for await (const transaction of reading) same<typeof transaction, AccountTransaction>(true);
  for await (const window of reading.windows()) same<typeof window, AccountTransaction[]>(true);
  const some: AccountTransaction[] = await reading.toArray({ limit: 5 });
  const token: string | null = reading.resumeToken;
  const { report } = reading;
  if (report !== null) {
    same<typeof report.complete, boolean>(true);
    same<typeof report.nextBlock, number | null>(true);
    same<typeof report.windows | typeof report.requests | typeof report.records, number>(true);
    same<typeof report.responseLimit, number | null>(true);
    same<typeof report.changedBlocks, number[]>(true);
    const blocks: { block: number; records: number; reason: string }[] = report.incompleteBlocks;
    const ranges: { first: number; last: number; message: string }[] = report.unprocessed;
    void [blocks, ranges];
  }
  void [some, token];
  account.txListInternal.all({ address });
  account.tokenTx.all({ contractaddress });
  account.tokenNftTx.all({ address });
  account.token1155Tx.all({ address });
  account.token404Tx.all({ address });

  // @ts-expect-error pages are its own business
  account.txList.all({ address, page: 1, offset: 100 });
  // @ts-expect-error a transaction is no range
  account.txListInternal.all({ txhash: address });
  // @ts-expect-error the address is required
  account.txList.all({});
  // @ts-expect-error cannot be read whole
  account.tokenList.all({ address });
  // @ts-expect-error a limit is required
  reading.toArray();
  // @ts-expect-error it is iterated, not awaited
  reading.then();
  // @ts-expect-error no page of its own
  account.txList.all({ address }, { prefetch: 2 });
  // @ts-expect-error the report may be null
  reading.report.complete;
  // @ts-expect-error read only
  reading.report = null;
  return report;
}

export const gathered = new AddressClient({ baseUrl: "https://sample.invalid", gatherBalances: false });
// @ts-expect-error true or false
new AddressClient({ baseUrl: "https://sample.invalid", gatherBalances: "no" });
