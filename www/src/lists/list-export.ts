// The export of a list.
import type { EstimatedCall } from "address-query/estimate";
import type { ExportSource } from "../export/source.js";
import { toFirstPage, toHref, toSubject } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { toParameters } from "./filters.js";
import type { ListDeclaration } from "./list.js";

/** All records of a list with the filters of the route. */
export function listExport<Row>(list: ListDeclaration<Row>, { service, route }: TabContext): ExportSource<Row> {
  const { read, filters = [], records } = list;
  const { client } = service;
  const subject = toSubject(route);
  const parameters = toParameters(filters, route.filters) as Record<string, never>;
  return {
    key: toHref(toFirstPage({ ...route, tab: list.id })),
    name: /^\w+$/.test(subject) ? `${list.id}-${subject.slice(0, 10)}` : list.id,
    noun: records.noun,
    csv: records.csv ?? {},
    createCall: () => (list.createCall ?? read)(client, subject, parameters, {}) as EstimatedCall,
    remainingCredits: () => client.credits.remaining,
    pages: async function* (resume, signal) {
      for (let next = resume; ; ) {
        const call = read(client, subject, parameters, { ...(next === null ? {} : { resume: next }), signal });
        if (call.pages) return yield* call.pages();
        const page = await call;
        yield page;
        next = page.resumeToken;
        if (next === null) return;
      }
    },
  };
}
