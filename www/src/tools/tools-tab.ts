// The tab of the tools that read the account module: balances of many addresses, and the audit.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { toHref } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import "./audit.js";
import "./balances.js";
import "../components/stats.css";
import "./tools.css";

const TOOLS: Readonly<Record<string, { label: string; render: (context: TabContext) => TemplateResult }>> = {
  balances: { label: "Balances", render: (context) => html`<aq-balances .context=${context}></aq-balances>` },
  audit: { label: "Audit", render: (context) => html`<aq-audit .context=${context}></aq-audit>` },
};

@customElement("aq-tools-tab")
export class ToolsTab extends PageElement {
  @property({ attribute: false }) context!: TabContext;

  protected override render(): TemplateResult {
    const { route } = this.context;
    // The audit is about one address.
    const ids = route.address ? Object.keys(TOOLS) : ["balances"];
    const shown = ids.find((id) => id === route.filters["tool"]) ?? "balances";
    const link = (id: string) =>
      html`<a class="button" href=${toHref({ ...route, filters: { tool: id } })} aria-current=${id === shown ? "page" : "false"}>${TOOLS[id]?.label}</a>`;
    return html`
      ${ids.length > 1 ? html`<nav class="tools" aria-label="Tools">${ids.map(link)}</nav>` : nothing}
      ${TOOLS[shown]?.render(this.context)}`;
  }
}
