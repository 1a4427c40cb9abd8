// Links to the history of the last months and years, and its export, for another tab.
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import "../lists/list-export.js";
import { toFilters, toHref, toTab } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { historyList } from "./history-list.js";
import { periodFilter } from "./period.js";

/** Without "All": three months and two years. */
const PERIODS = periodFilter.options?.slice(1, 6) ?? [];

@customElement("aq-history-periods")
export class HistoryPeriods extends PageElement {
  @property({ attribute: false }) context!: TabContext;

  protected override render(): TemplateResult {
    const route = toTab(this.context.route, historyList.id);
    const link = ([period, label]: (typeof PERIODS)[number]) =>
      html`<a href=${toHref(toFilters(route, { [periodFilter.name]: period }))}>${label}</a>`;
    return html`${PERIODS.map(link)}<aq-list-export .list=${historyList} .context=${{ ...this.context, route }}></aq-list-export>`;
  }
}
