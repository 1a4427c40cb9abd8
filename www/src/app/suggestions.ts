// What the search suggests: recent and sample addresses, what the entry itself says, and what the service finds.
import type { SearchItem } from "address-query";
import { describeChecksumError } from "../format/checksum.js";
import { isAddress, isBlockNumber, isHash, isSameAddress, shortenHash } from "../format/text.js";
import { formatInteger } from "../format/number.js";
import { type Route, toAddress, toPage } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { recentAddresses } from "../start/recent-addresses.js";
import { type Description, describe, toRoute } from "./search-result.js";
import "./suggestions.css";

export interface Suggestion extends Description {
  route: Route;
}

/** The suggestions so far. */
export interface Suggestions {
  items: readonly Suggestion[];
  /** What is in progress, or why there are no suggestions. */
  status: string;
}

/** How long the entry must stay unchanged before the service is asked. */
const DELAY_MS = 250;
const MIN_LENGTH = 2;
const MAX_RESULTS = 20;

/** Whether the service may be asked: not for a hash that is still incomplete. */
export const isSearchable = (entry: string): boolean => isHash(entry) || (!/^0x/i.test(entry) && entry.length >= MIN_LENGTH);

async function readSamples({ route }: TabContext): Promise<Suggestion[]> {
  if (route.source !== "") return [];
  const { sampleAddresses } = await import("../service/sample.js");
  return sampleAddresses.map(({ hash, label, description }) => ({
    label,
    hash: shortenHash(hash),
    description,
    route: toAddress(route, hash),
  }));
}

/** Suggestions that need no request. */
async function suggestLocally(context: TabContext, entry: string): Promise<Suggestion[]> {
  const { route, service } = context;
  const samples = await readSamples(context);
  const recent = recentAddresses()
    .filter((address) => !samples.some((sample) => isSameAddress(address, sample.route.address)))
    .map((address) => ({ label: "Recent", hash: shortenHash(address), description: address, route: toAddress(route, address) }));
  const sought = entry.toLowerCase();
  const matching = [...recent, ...samples].filter(({ label, description, route }) =>
    `${label}\n${description}\n${route.address}`.toLowerCase().includes(sought),
  );
  const isOffered = isAddress(entry) && matching.length === 0 && describeChecksumError(entry, service.chainId) === "";
  return [
    ...(isOffered ? [{ label: "Address", hash: shortenHash(entry), description: entry, route: toAddress(route, entry) }] : []),
    ...(isBlockNumber(entry)
      ? [{ label: `Block ${formatInteger(entry)}`, hash: "", description: "By its number", route: toPage(route, "block", entry) }]
      : []),
    ...matching,
  ];
}

const toSuggestion = (item: SearchItem, { route }: TabContext): Suggestion[] => {
  const target = toRoute(item, route);
  return target ? [{ ...describe(item), route: target }] : [];
};

/** Asks the service. Leaves out results that have no page here. */
export async function findByService(context: TabContext, q: string, signal: AbortSignal): Promise<Suggestion[]> {
  const { items } = await context.service.client.searchQuick({ q }, { signal });
  return items.flatMap((item) => toSuggestion(item, context)).slice(0, MAX_RESULTS);
}

const rest = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, DELAY_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Yields local suggestions at once, and then adds what the service finds. Ends early when `signal` is aborted. */
export async function* suggest(context: TabContext, entry: string, signal: AbortSignal): AsyncGenerator<Suggestions> {
  const items = await suggestLocally(context, entry);
  if (!isSearchable(entry)) return yield { items, status: "" };
  yield { items, status: "Searching…" };
  await rest(signal);
  try {
    const found = await findByService(context, entry, signal);
    const all = [...items, ...found.filter(({ route }) => !items.some((item) => isSameRoute(item.route, route)))];
    yield { items: all, status: all.length === 0 ? "Nothing found." : "" };
  } catch (error) {
    if (signal.aborted) return;
    yield { items, status: `The search failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const isSameRoute = (a: Route, b: Route): boolean => a.show === b.show && a.id === b.id && isSameAddress(a.address, b.address);
