// The bar at the top: the mark, the search, the service to read from, the network and the settings.
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ChevronDown, Settings as Gear } from "lucide";
import { PagePart } from "../components/element.js";
import { icon } from "../components/icon.js";
import "../components/menu.js";
import { networkDrawer } from "../network/index.js";
import { toAddress, toHref, toTab } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { chainIcon } from "../components/chain-icon.js";
import { mark } from "../components/mark.js";
import "./search.js";

@customElement("aq-top-bar")
export class TopBar extends PagePart {
  @property({ attribute: false }) context!: TabContext;

  protected override render(): TemplateResult {
    const { service, route } = this.context;
    const home = toHref(toTab(toAddress(route, ""), ""));
    return html`<header class="top-bar">
      <a class="brand" href=${home} aria-label="address-query">${mark}<span class="brand-name">address-query</span></a>
      <aq-search .context=${this.context}></aq-search>
      <div class="bar-end">
        <aq-menu class="source" label="Service: ${service.label}" .content=${() => this.renderSources()}
          .face=${html`${chainIcon(service)}<span class="source-name">${service.label}</span>${icon(ChevronDown)}`}></aq-menu>
        ${networkDrawer(route.source)}
        <aq-menu class="settings" label="Settings" look="icon-button" .content=${renderSettings} .face=${icon(Gear)}></aq-menu>
      </div>
    </header>`;
  }

  private renderSources(): TemplateResult {
    void import("./source-picker.js");
    return html`<aq-source-picker .context=${this.context}></aq-source-picker>`;
  }
}

function renderSettings(): TemplateResult {
  void import("./settings-panel.js");
  return html`<aq-settings-panel></aq-settings-panel>`;
}
