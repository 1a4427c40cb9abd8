// The bar at the top: the name, the service to read from, and the settings.
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { toHref, toTab } from "../route/route.js";
import type { TabContext } from "../tabs/tab.js";
import { changeSettings, type Settings, settings } from "./settings.js";
import "./source-picker.js";

@customElement("aq-top-bar")
export class TopBar extends PageElement {
  @property({ attribute: false }) context!: TabContext;

  protected override render(): TemplateResult {
    const { route } = this.context;
    const home = toHref({ ...toTab(route, ""), address: "" });
    return html`<header class="top-bar">
      <a class="brand" href=${home}><span class="brand-mark" aria-hidden="true"></span><span class="brand-name">address-query</span></a>
      <aq-source-picker .context=${this.context}></aq-source-picker>
      <div class="settings">
        ${this.renderChoice("paging", "Lists", { endless: "Endless", pages: "Pages" })}
        ${this.renderChoice("times", "Times", { relative: "Ages", absolute: "Dates" })}
        <aq-shortcuts></aq-shortcuts>
        ${this.renderChoice("theme", "Theme", { system: "System", light: "Light", dark: "Dark" })}
      </div>
    </header>`;
  }

  private renderChoice<Name extends keyof Settings>(name: Name, label: string, options: Record<string, string>): TemplateResult {
    return html`<label class="choice"><span>${label}</span>
      <select name=${name} @change=${(event: Event) => changeSettings({ [name]: (event.target as HTMLSelectElement).value })}>
        ${Object.entries(options).map(([value, text]) => html`<option value=${value} ?selected=${settings[name] === value}>${text}</option>`)}
      </select></label>`;
  }
}
