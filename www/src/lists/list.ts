// What a list is: how it is read, filtered and shown.
import type { AddressClient, AddressTabsCounters, Page } from "address-query";
import type { ExportCall } from "address-query/store";
import type { TemplateResult } from "lit";
import type { CsvColumns, RecordKind } from "../table/columns.js";
import type { TabContext } from "../table/context.js";
import type { Filter } from "./filters.js";
import type { ListReader, StoredPage } from "./list-reader.js";

export interface ReadOptions {
  resume?: string;
  signal?: AbortSignal;
}

/** A list that is shown in a tab. */
export interface ListDeclaration<Row> {
  id: string;
  label: string;
  count?: (counters: AddressTabsCounters) => number | null;
  /** How its records are shown, from `src/records`. */
  records: RecordKind<Row>;
  filters?: readonly Filter[];
  /**
   * Reads a page, or all. `subject` is what the page shows: an address, transaction, token or block. `filters` are parameters of
   * the method, whose values the client checks: hence the type `never`.
   */
  read: (
    client: AddressClient,
    subject: string,
    filters: Record<string, never>,
    options: ReadOptions,
  ) => PromiseLike<Page<Row, unknown>> & { pages?: () => AsyncIterable<Page<Row, unknown>> };
  /** Creates a call that reads everything, for an export with some columns. Default: the call that `read` returns. */
  createCall?: (
    client: AddressClient,
    subject: string,
    filters: Record<string, never>,
    columns?: CsvColumns<Row>,
  ) => ExportCall<object>;
  /** CSV files to choose from, where they depend on the chain. Default: the files of `records`. */
  csv?: (context: TabContext) => Readonly<Record<string, CsvColumns<Row>>>;
  /** Exports that start with a click: one for each of these values of a filter, in one format. */
  exports?: { title: string; format: string; filter: string; options: readonly (readonly [value: string, label: string])[] };
  /** Reads what an earlier visit has stored of the list without filters. */
  readStored?: (client: AddressClient, subject: string) => Promise<StoredPage<Row> | null>;
  /** A line above the table, from the members of the first page other than its rows. */
  note?: (page: never) => unknown;
  /** Loads code beyond the table that is not part of the initial page. */
  load?: () => Promise<unknown>;
  /** Controls beside the filters. */
  controls?: (context: TabContext) => unknown;
  /** Shown beside the rows, such as a chart. Above them on a narrow page. */
  aside?: (context: TabContext) => unknown;
  /** Renders the rows instead of the table. Returns undefined to use the table. */
  renderRows?: (reader: ListReader<Row>, context: TabContext) => TemplateResult | undefined;
}
