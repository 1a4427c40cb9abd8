// What a tab is.
import type { AddressClient, AddressCounters, AddressTabsCounters, Page } from "address-query";
import { html, type TemplateResult } from "lit";
import type { Route } from "../route/route.js";
import type { Service } from "../service/service.js";
import type { CellContext, RecordKind } from "../table/columns.js";
import type { ListReader } from "../table/list-reader.js";
import type { Filter } from "./filters.js";
import "./list-tab.js";

/** What the shell gives to the tab on display. */
export interface TabContext {
  service: Service;
  route: Route;
  cells: CellContext;
  /** URLs of the pages that the reader turned from, page 1 first. A shared link has none. */
  previous: readonly string[];
  /** Shows a route. `previous` are the pages before it, for a page of a list. */
  navigate: (route: Route, previous?: readonly string[]) => void;
}

export interface Tab {
  /** As in the URL. */
  id: string;
  label: string;
  /** The number of records, up to 51, which means "more than 50". */
  count?: (counters: AddressTabsCounters) => number | null;
  /** Loads the code of a tab that is not part of the initial page. */
  load?: () => Promise<unknown>;
  render: (context: TabContext) => TemplateResult;
}

/** A tab that shows one list. */
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
  /** Shown above the table, such as a chart. */
  above?: (context: TabContext) => unknown;
  /** Shows the rows in place of the table. Undefined: in the table. */
  renderRows?: (reader: ListReader<Row>, context: TabContext) => TemplateResult | undefined;
}

export const listTab = <Row>(list: ListDeclaration<Row>): Tab => ({
  id: list.id,
  label: list.label,
  ...(list.count ? { count: list.count } : {}),
  ...(list.load ? { load: list.load } : {}),
  render: (context) => html`<aq-list-tab .list=${list} .context=${context}></aq-list-tab>`,
});
