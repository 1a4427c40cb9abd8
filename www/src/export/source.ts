// What an export needs to know about the records that it writes.
import type { CsvColumn, CsvPreset } from "address-query/history";
import { isAddress } from "../format/text.js";
import { toFirstPage, toHref } from "../route/route.js";
import type { ListDeclaration, TabContext } from "../tabs/tab.js";
import { toParameters } from "../tabs/filters.js";

/** Columns of a CSV file: for events of a history, the name of a set. */
export type CsvColumns<Row> = readonly CsvColumn<Row>[] | CsvPreset;

/** Some records, and where to continue after them. */
export interface ExportPage<Row> {
  items: readonly Row[];
  /** Null at the end. */
  resumeToken: string | null;
}

export interface ExportSource<Row> {
  /** The same for the same records, also after a reload: unfinished exports are found by it. */
  key: string;
  /** Name of the file, without its extension. */
  name: string;
  noun: string;
  /** CSV files to choose from, by their labels. NDJSON has all fields and needs no columns. */
  csv: Readonly<Record<string, CsvColumns<Row>>>;
  /** Reads all records, or those after a resume token. */
  pages: (resume: string | null, signal: AbortSignal) => AsyncIterable<ExportPage<Row>>;
  /** The approximate number of records. Null: not known. */
  total?: (signal: AbortSignal) => Promise<number | null>;
}

/** `50` also means "more than 50". */
const MAX_EXACT_COUNT = 50;

/** All records of a list with the filters of the route. */
export function listExport<Row>(list: ListDeclaration<Row>, { service, route }: TabContext): ExportSource<Row> {
  const { read, filters = [], records } = list;
  const { client } = service;
  const address_hash = route.address;
  const parameters = toParameters(filters, route.filters) as Record<string, never>;
  const total = async (signal: AbortSignal) => {
    if (!address_hash || Object.keys(parameters).length > 0) return null;
    const counts = list.count?.(await client.addressTabsCounters({ address_hash }, { signal }));
    if (typeof counts === "number" && counts <= MAX_EXACT_COUNT) return counts;
    return list.total ? list.total(await client.addressCounters({ address_hash }, { signal })) : null;
  };
  return {
    key: toHref(toFirstPage({ ...route, tab: list.id })),
    name: isAddress(address_hash) ? `${list.id}-${address_hash.slice(0, 10)}` : list.id,
    noun: records.noun,
    csv: records.csv ?? {},
    total,
    pages: async function* (resume, signal) {
      for (let next = resume; ; ) {
        const page = await read(client, address_hash, parameters, { ...(next === null ? {} : { resume: next }), signal });
        yield page;
        next = page.resumeToken;
        if (next === null) return;
      }
    },
  };
}
