// The export of the history from another tab. What it starts is shown in the tab of the history.
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import "../lists/list-export.js";
import { toTab } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { historyList } from "./history-list.js";

@customElement("aq-history-export")
export class HistoryExport extends PageElement {
  @property({ attribute: false }) context!: TabContext;

  protected override render(): TemplateResult {
    const context = { ...this.context, route: toTab(this.context.route, historyList.id) };
    return html`<aq-list-export .list=${historyList} .context=${context}></aq-list-export>`;
  }
}
