// What a list is: how it is read, filtered and shown.
import type { AddressClient, AddressCounters, AddressTabsCounters, Page } from "address-query";
import type { TemplateResult } from "lit";
import type { RecordKind } from "../table/columns.js";
import type { TabContext } from "../table/context.js";
import type { Filter } from "./filters.js";
import type { ListReader } from "./list-reader.js";

/** A list that is shown in a tab. */
export interface ListDeclaration<Row> {
  id: string;
  label: string;
  count?: (counters: AddressTabsCounters) => number | null;
  /** The number of all records, for the progress of an export. */
  total?: (counters: AddressCounters) => number;
  /** How its records are shown, from `src/records`. */
  records: RecordKind<Row>;
  filters?: readonly Filter[];
  /** Reads a page. `filters` are parameters of the method, whose values the client checks: hence the type `never`. */
  read: (
    client: AddressClient,
    address_hash: string,
    filters: Record<string, never>,
    options: { resume?: string; signal: AbortSignal },
  ) => PromiseLike<Page<Row, unknown>>;
  /** A line above the table, from the members of the first page beside its rows. */
  note?: (page: never) => unknown;
  /** Loads the code of what the tab shows beyond a table, which is not part of the initial page. */
  load?: () => Promise<unknown>;
  /** Controls beside the filters. */
  controls?: (context: TabContext) => unknown;
  /** Shown beside the rows, such as a chart. Above them on a narrow page. */
  aside?: (context: TabContext) => unknown;
  /** Shows the rows in place of the table. Undefined: in the table. */
  renderRows?: (reader: ListReader<Row>, context: TabContext) => TemplateResult | undefined;
}
