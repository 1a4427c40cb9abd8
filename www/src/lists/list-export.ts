// The export of a list.
import type { EstimatedCall } from "address-query/estimate";
import type { ExportSource } from "../export/source.js";
import { isAddress } from "../format/text.js";
import { toFirstPage, toHref } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { toParameters } from "./filters.js";
import type { ListDeclaration } from "./list.js";

/** All records of a list with the filters of the route. */
export function listExport<Row>(list: ListDeclaration<Row>, { service, route }: TabContext): ExportSource<Row> {
  const { read, filters = [], records } = list;
  const { client } = service;
  const address_hash = route.address;
  const parameters = toParameters(filters, route.filters) as Record<string, never>;
  return {
    key: toHref(toFirstPage({ ...route, tab: list.id })),
    name: isAddress(address_hash) ? `${list.id}-${address_hash.slice(0, 10)}` : list.id,
    noun: records.noun,
    csv: records.csv ?? {},
    createCall: () => (list.createCall ?? read)(client, address_hash, parameters, {}) as EstimatedCall,
    remainingCredits: () => client.credits.remaining,
    pages: async function* (resume, signal) {
      for (let next = resume; ; ) {
        const call = read(client, address_hash, parameters, { ...(next === null ? {} : { resume: next }), signal });
        if (call.pages) return yield* call.pages();
        const page = await call;
        yield page;
        next = page.resumeToken;
        if (next === null) return;
      }
    },
  };
}
