// Declares tabs.
import type { AddressTabsCounters } from "address-query";
import { html, type TemplateResult } from "lit";
import type { ListDeclaration } from "../lists/list.js";
import "../lists/list-tab.js";
import type { TabContext } from "../table/context.js";

export interface Tab {
  /** The id in the URL. */
  id: string;
  label: string;
  /** The number of records, up to 51, which means "more than 50". */
  count?: (counters: AddressTabsCounters) => number | null;
  /** Loads the code of a tab that is not part of the initial page. */
  load?: () => Promise<unknown>;
  render: (context: TabContext) => TemplateResult;
}

/** Declares a tab whose content is the element `aq-<id>-tab`. `load` loads its code. */
export function elementTab(id: string, label: string, load: () => Promise<unknown>): Tab {
  const parts = [`<aq-${id}-tab .context=`, `></aq-${id}-tab>`];
  // The template that html`<aq-…-tab .context=${context}></aq-…-tab>` has.
  const template = Object.assign(parts, { raw: parts });
  return { id, label, load, render: (context) => html(template, context) };
}

/** Declares a tab that shows one list. */
export const listTab = <Row>(list: ListDeclaration<Row>): Tab => ({
  id: list.id,
  label: list.label,
  ...(list.count ? { count: list.count } : {}),
  ...(list.load ? { load: list.load } : {}),
  render: (context) => html`<aq-list-tab .list=${list} .context=${context}></aq-list-tab>`,
});
