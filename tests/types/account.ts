// The types of the account module in a strict TypeScript project. A line after @ts-expect-error must not compile.
import { AddressClient, type AccountTransaction, type Balance, type Hex, type RangeReport, type Rows } from "address-query";

declare const client: AddressClient;
const { account } = client;
const address = "0x0000000000000000000000000000000000000001";
const contractaddress = address;

/** Compiles only if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assertSame = <A, B>(_: Same<A, B>): void => {};

export async function values(signal: AbortSignal): Promise<void> {
  const hex: Hex = await account.ethGetBalance(
    { address, block: "latest" },
    { signal, timeoutMs: 5, deadlineMs: 6, maxAttempts: 1, maxWaitMs: 7 },
  );
  await account.ethGetBalance({ address, block: 7 });
  await account.ethGetBalance({ address, block: "7" });
  const wei = await account.balance({ address });
  assertSame<typeof wei, string | null>(true);
  const amount = await account.tokenBalance({ address, contractaddress });
  assertSame<typeof amount, string | null>(true);
  const balances: Balance[] = await account.balanceMulti(
    { address: [address] as const },
    { until: "fresh", freshWithinMs: 5, signal },
  );
  await account.balanceMulti({ address });
  assertSame<Balance["balance"], string | null>(true);
  assertSame<Balance["stale"], boolean | null>(true);
  void [hex, balances];

  // @ts-expect-error no such block
  account.ethGetBalance({ address, block: "newest" });
  // @ts-expect-error a single address
  account.balance({ address: [address] });
  // @ts-expect-error the address is required
  account.balance({});
  // @ts-expect-error both are required
  account.tokenBalance({ address });
  // @ts-expect-error only "fresh"
  account.balanceMulti({ address }, { until: "stale" });
  // @ts-expect-error only balanceMulti has this option
  account.balance({ address }, { until: "fresh" });
  // @ts-expect-error a balance may be null
  (await account.balance({ address })).length;
}

export async function rows(): Promise<void> {
  const transactions: Rows<AccountTransaction> = await account.txList({
    address,
    sort: "asc",
    startblock: 1,
    endblock: 2,
    page: 1,
    offset: 10,
    filter_by: "to",
    start_timestamp: 1,
    end_timestamp: 2,
  });
  assertSame<typeof transactions.incomplete, boolean>(true);
  assertSame<typeof transactions.message, string | null>(true);
  for (const transaction of transactions.items) {
    assertSame<typeof transaction.value, string>(true);
    assertSame<typeof transaction.hash, Hex>(true);
    assertSame<typeof transaction.to, Hex | null>(true);
    assertSame<typeof transaction.gasPrice, string | null>(true);
    assertSame<typeof transaction.blockNumber, string>(true);
    // @ts-expect-error the receiver may be null
    transaction.to.length;
    // @ts-expect-error amounts are strings
    const value: number = transaction.value;
    void value;
  }
  for (const pending of (await account.pendingTxList({ address })).items) {
    assertSame<typeof pending.gasUsed, string | null>(true);
    // @ts-expect-error a pending transaction has no block
    pending.blockNumber;
  }
  for (const call of (await account.txListInternal({ txhash: address, include_zero_value: true })).items) {
    assertSame<typeof call.transactionHash, Hex>(true);
    assertSame<typeof call.contractAddress, Hex | null>(true);
    assertSame<typeof call.index, string | null>(true);
  }
  await account.txListInternal({});
  for (const transfer of (await account.tokenTx({ contractaddress })).items) {
    assertSame<typeof transfer.value, string | null>(true);
    // @ts-expect-error ERC-20 transfers have no token id
    transfer.tokenID;
  }
  for (const transfer of (await account.tokenNftTx({ address })).items) {
    assertSame<typeof transfer.tokenID, string | null>(true);
    // @ts-expect-error ERC-721 transfers have no amount
    transfer.value;
  }
  for (const transfer of (await account.token1155Tx({ address })).items) {
    assertSame<typeof transfer.tokenValue, string | null>(true);
  }
  for (const transfer of (await account.token404Tx({ address })).items) {
    assertSame<typeof transfer.value | typeof transfer.tokenID, string | null>(true);
  }
  for (const holding of (await account.tokenList({ address })).items) {
    assertSame<typeof holding.contractAddress, Hex>(true);
    assertSame<typeof holding.id, string | null>(true);
    const isFungible: boolean = holding.type === "ERC-20";
    void isFungible;
  }
  for (const block of (await account.getMinedBlocks({ address, page: 1, offset: 5 })).items) {
    assertSame<typeof block.timestamp, string | null>(true);
  }
  for (const listedAccount of (await account.listAccounts()).items) {
    assertSame<typeof listedAccount.address, Hex>(true);
    assertSame<typeof listedAccount.balance, string | null>(true);
  }

  // @ts-expect-error the address is required
  account.txList({});
  // @ts-expect-error only "asc" and "desc"
  account.txList({ address, sort: "up" });
  // @ts-expect-error only "to" and "from"
  account.txList({ address, filter_by: "both" });
  // @ts-expect-error no such parameter
  account.tokenList({ address, page: 1 });
  // @ts-expect-error actions cannot be resumed
  account.txList({ address }, { resume: "" });
}

export async function ranges(signal: AbortSignal): Promise<RangeReport | null> {
  const call = account.txList.all(
    { address, sort: "asc" },
    {
      signal,
      timeoutMs: 5,
      prefetch: 0,
      resume: "",
      onProgress: ({ records }) => void records.toFixed(),
    },
  );
  for await (const transaction of call) assertSame<typeof transaction, AccountTransaction>(true);
  for await (const window of call.windows()) assertSame<typeof window, AccountTransaction[]>(true);
  const some: AccountTransaction[] = await call.toArray({ limit: 5 });
  const token: string | null = call.resumeToken;
  const { report } = call;
  if (report !== null) {
    assertSame<typeof report.complete, boolean>(true);
    assertSame<typeof report.nextBlock, number | null>(true);
    assertSame<typeof report.windows | typeof report.requests | typeof report.records, number>(true);
    assertSame<typeof report.responseLimit, number | null>(true);
    assertSame<typeof report.changedBlocks, number[]>(true);
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

  account.txList({ address, page: 1, offset: 100 });
  // @ts-expect-error offset needs page
  account.txList({ address, offset: 100 });
  // @ts-expect-error page needs offset
  account.txListInternal({ address, page: 2 });
  // @ts-expect-error offset needs page
  account.getMinedBlocks({ address, offset: 5 });
  // @ts-expect-error all() chooses the pages
  account.txList.all({ address, page: 1, offset: 100 });
  // @ts-expect-error a transaction is not a range
  account.txListInternal.all({ txhash: address });
  // @ts-expect-error the address is required
  account.txList.all({});
  // @ts-expect-error tokenList has no ranges
  account.tokenList.all({ address });
  // @ts-expect-error a limit is required
  call.toArray();
  // @ts-expect-error a range is not a promise
  call.then();
  // @ts-expect-error at most one window is prefetched
  account.txList.all({ address }, { prefetch: 2 });
  // @ts-expect-error the report may be null
  call.report.complete;
  // @ts-expect-error the report is read-only
  call.report = null;
  return report;
}

export const withoutBatches = new AddressClient({ baseUrl: "https://sample.invalid", batchBalances: false });
// @ts-expect-error true or false
new AddressClient({ baseUrl: "https://sample.invalid", batchBalances: "no" });
