// The exports and audits of address-query/history: columns of any records, the stream, and the result of an audit.
import type { AccountTransaction, AddressClient } from "address-query";
import {
  auditBalance,
  type AuditReason,
  type CsvColumn,
  type ExportProgress,
  history,
  saveFile,
  toCsv,
  toNdjson,
  watch,
} from "address-query/history";

declare const client: AddressClient;
const address_hash = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

export async function write(signal: AbortSignal, file: WritableStream<Uint8Array>): Promise<void> {
  const events = history(client, { address_hash });
  const onProgress = ({ rows, fraction }: ExportProgress): void => console.log(rows, (fraction ?? 0) * 100);
  const stream: ReadableStream<Uint8Array> = toCsv(events, { columns: "accounting", signal, onProgress, total: 5 });
  await stream.pipeTo(file);
  await saveFile(toCsv(events), "full.csv");
  toCsv(events, { columns: ["timestamp", "asset.symbol", { name: "gas", value: ({ record }) => record }], header: false });
  await saveFile(toNdjson(watch(client, { address_hash }), { signal }), "feed.ndjson");
  toNdjson([{ a: 1 }]);

  const column: CsvColumn<AccountTransaction> = "gasUsed";
  toCsv(client.account.txList.all({ address: address_hash }), { columns: [column, "hash"] });
  toCsv(client.addressTransactions({ address_hash }), { columns: ["from.hash", "fee.value"] });

  toCsv([{ any: null as unknown, when: new Date() }], { columns: ["any", "when"] });
  toCsv(client.addressLogs({ address_hash }), { columns: ["topics"] });

  // @ts-expect-error an object is not a cell
  toCsv(client.addressTransactions({ address_hash }), { columns: ["from"] });
  // @ts-expect-error no such field
  toCsv(client.addressTransactions({ address_hash }), { columns: ["sender"] });
  // @ts-expect-error no such field of an object
  toCsv(client.addressTransactions({ address_hash }), { columns: ["from.name2"] });
  // @ts-expect-error columns are required, except for events
  toCsv(client.addressTransactions({ address_hash }));
  // @ts-expect-error a set of columns is for events
  toCsv(client.addressTransactions({ address_hash }), { columns: "full" });
  // @ts-expect-error lines of JSON have no columns
  toNdjson(events, { columns: "full" });
}

export async function audit(signal: AbortSignal): Promise<AuditReason[]> {
  const { balanced, native, tokens, report } = await auditBalance(client, { address_hash, signal });
  const [token] = tokens;
  const agrees: boolean | null | undefined = token?.agrees;
  const block: number | undefined = native.divergence?.block;
  console.log(balanced, agrees, block, report.sources.length, token?.token?.symbol);
  // @ts-expect-error the whole history is audited
  await auditBalance(client, { address_hash, include: ["transaction"] });
  return native.reasons;
}
