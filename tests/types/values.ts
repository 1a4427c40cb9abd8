// Values of events and activities, and the templates of address-query/history.
import type { AddressClient } from "address-query";
import { estimate } from "address-query/estimate";
import {
  type Activity,
  activities,
  type ActivitySpan,
  activitySpan,
  type CsvTemplate,
  type FiatValue,
  history,
  koinly,
  mergeHistories,
  sumValues,
  toCsv,
  type ValueTotals,
  watch,
  withValues,
} from "address-query/history";

declare const client: AddressClient;
const address_hash = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

export async function valueEvents(): Promise<ValueTotals> {
  const priceOf = async ({ contract }: { contract: string | null }, day: string) => (contract === null ? null : day);
  const call = withValues(client, history(client, { address_hash }), { requests: true, priceOf, currency: "EUR" });
  for await (const event of call) {
    const fiat: FiatValue | null = event.fiat;
    const fee: string | undefined = event.fee_fiat?.value;
    const token: string | null = call.resumeToken;
    if (event.kind === "block_reward") console.log(event.record.height, fiat?.basis, fee, token, call.report?.complete);
  }
  const [next] = await call.more(5);
  console.log(next?.fiat?.price_source, (await estimate(call)).requests.max);
  toCsv(call, { columns: ["timestamp", "fiat.value", "fee_fiat.value"] });
  // @ts-expect-error no such option
  withValues(client, history(client, { address_hash }), { price: true });
  // @ts-expect-error an array is not a call
  withValues(client, []);
  return sumValues(call);
}

export async function valueOthers(): Promise<ActivitySpan> {
  for await (const event of withValues(client, watch(client, { address_hash })))
    console.log(event.kind === "removed" ? event.key : event.fiat?.value);
  const accounts = [{ client, address_hash }];
  for await (const { account, fiat } of withValues([client, client], mergeHistories(accounts))) console.log(account, fiat?.value);
  const valued = withValues(client, activities(client, { address_hash }));
  for await (const { sent, fee_fiat, kind } of valued) console.log(sent[0]?.fiat?.value, fee_fiat?.value, kind);
  await sumValues(valued);
  return activitySpan(client, { address_hash });
}

export function write(): void {
  const columns = koinly({ coin: "ETH", currencyOf: ({ contract }) => contract });
  toCsv(activities(client, { address_hash }), { columns });
  toCsv(withValues(client, activities(client, { address_hash })), { columns, header: false });
  const template: CsvTemplate<Activity> = { header: ["kind"], toRows: ({ kind }) => [[kind]] };
  toCsv(activities(client, { address_hash }), { columns: template });
  // @ts-expect-error the coin has no other name
  koinly({});
  // @ts-expect-error the rows are activities
  toCsv(history(client, { address_hash }), { columns });
}
