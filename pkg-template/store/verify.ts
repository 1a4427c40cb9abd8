// `store.verify`: compares stored events with the service.
import { checkClient, createParameterError, sumOmitted } from "../entry-support.js";
import { type HistoryClient, type HistoryEvent, type HistoryKind, type HistoryReport, history } from "../history/index.js";
import { parseSelection } from "../history/params.js";
import type { Omitted } from "../public.js";
import { startOf } from "./chunks.js";
import { Copy } from "./copy.js";
import type { StoreDatabase } from "./database.js";
import type { VerifyParams, VerifyReport } from "./public-types.js";

const DEFAULT_SAMPLES = 3;
/** The kinds that the account interface returns for any blocks. The lists of the others are read from the newest block on. */
const RANGED: readonly HistoryKind[] = ["transaction", "internal_transaction", "token_transfer"];

export async function verify(database: StoreDatabase, client: HistoryClient, params: VerifyParams): Promise<VerifyReport> {
  const { address, signal } = parseSelection(client, params, ["address_hash", "signal", "samples"]);
  checkClient(client);
  const { samples = DEFAULT_SAMPLES } = params;
  if (!Number.isSafeInteger(samples) || samples < 1) throw createParameterError("samples", "must be an integer of at least 1");
  const copy = new Copy(database, client.source, address);
  const state = await copy.load();
  const include = RANGED.filter((kind) => state?.kinds.includes(kind));
  const blocks = include.length > 0 ? await copy.sample(samples, state?.final ?? -1) : [];
  const missing: HistoryEvent[] = [];
  const gone: string[] = [];
  let omitted: Omitted = sumOmitted();
  for (const { from, to } of blocks) {
    const stored = new Set<string>();
    for await (const events of copy.read(startOf(from), startOf(to + 1), true))
      for (const { kind, key } of events) if (include.includes(kind)) stored.add(key);
    const call = history(client, { address_hash: address, include, order: "asc", from, to, signal });
    for await (const event of call) if (!stored.delete(event.key)) missing.push(event);
    const report = call.report as HistoryReport;
    omitted = sumOmitted(omitted, report.omitted);
    // A service that is behind has none of the later blocks.
    if (report.to === to) gone.push(...stored);
  }
  const correct = missing.length === 0 && gone.length === 0 && omitted.count === 0;
  return { correct, blocks, missing, gone, omitted };
}
