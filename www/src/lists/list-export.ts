// The export of a list.
import type { ExportSource } from "../export/source.js";
import { isAddress } from "../format/text.js";
import { toFirstPage, toHref } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { toParameters } from "./filters.js";
import type { ListDeclaration } from "./list.js";

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
    remainingCredits: () => client.credits.remaining,
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
