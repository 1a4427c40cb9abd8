// The export of a list. It is loaded after the rows.
import type { ExportCall } from "address-query/store";
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import "../export/export-menu.js";
import type { ExportShortcuts, ExportSource } from "../export/source.js";
import { toFilters, toFirstPage, toHref, toSubject } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { toParameters } from "./filters.js";
import type { ListDeclaration } from "./list.js";

@customElement("aq-list-export")
export class ListExport extends PageElement {
  // biome-ignore lint/suspicious/noExplicitAny: lists of all kinds of rows
  @property({ attribute: false }) list!: ListDeclaration<any>;
  @property({ attribute: false }) context!: TabContext;

  protected override render(): TemplateResult {
    const { list, context } = this;
    return html`<aq-export-menu .source=${toSource(list, context)} .shortcuts=${toShortcuts(list, context)}></aq-export-menu>`;
  }
}

/** The exports that the list offers as shortcuts. */
function toShortcuts<Row>(list: ListDeclaration<Row>, context: TabContext): ExportShortcuts<Row> | null {
  if (!list.exports) return null;
  const { title, format, filter, options } = list.exports;
  const toChoice = ([value, label]: readonly [string, string]) => {
    const route = toFilters(context.route, { ...context.route.filters, [filter]: value });
    return { label, source: toSource(list, { ...context, route }), show: () => context.navigate(route) };
  };
  return { title, format, choices: options.map(toChoice) };
}

/** All records of a list with the filters of the route. */
function toSource<Row>(list: ListDeclaration<Row>, context: TabContext): ExportSource<Row> {
  const { service, route } = context;
  const { read, filters = [], records } = list;
  const { client } = service;
  const subject = toSubject(route);
  const choice = list.exports ? route.filters[list.exports.filter] : undefined;
  const parameters = toParameters(filters, route.filters) as Record<string, never>;
  return {
    key: toHref(toFirstPage({ ...route, tab: list.id })),
    name: [list.id, subject.slice(0, 10), choice].filter((part) => part && /^[\w-]+$/.test(part)).join("-"),
    noun: records.noun,
    csv: list.csv?.(context) ?? records.csv ?? {},
    createCall: (columns) =>
      list.createCall?.(client, subject, parameters, columns) ??
      (read(client, subject, parameters, {}) as PromiseLike<unknown> as unknown as ExportCall<object>),
    isEstimated: !route.accounts,
    remainingCredits: () => client.credits.remaining,
  };
}
