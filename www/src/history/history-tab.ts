// The tab of the merged timeline: its list, and the watch for new events.
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import type { TabContext } from "../table/context.js";
import { historyList } from "./history-list.js";
import "./feed.js";
import "./live-events.js";
import "./history.css";

@customElement("aq-history-tab")
export class HistoryTab extends PageElement {
  @property({ attribute: false }) context!: TabContext;

  protected override render(): TemplateResult {
    const { context } = this;
    return html`<aq-list-tab .list=${historyList} .context=${context}></aq-list-tab>`;
  }
}
