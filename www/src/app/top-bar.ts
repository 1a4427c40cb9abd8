// The bar at the top: the name, the service to read from, and the settings.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { toHref, toTab } from "../route/route.js";
import { KNOWN_CHAINS } from "../service/service.js";
import type { TabContext } from "../tabs/tab.js";
import { changeSettings, type Settings, settings } from "./settings.js";

const OWN_URL = "own";

@customElement("aq-top-bar")
export class TopBar extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  /** Whether the reader is about to enter the URL of an instance. */
  @state() private asksUrl = false;

  protected override render(): TemplateResult {
    const { route } = this.context;
    const home = toHref({ ...toTab(route, ""), address: "" });
    return html`<header class="top-bar">
      <a class="brand" href=${home}><span class="brand-mark" aria-hidden="true"></span><span class="brand-name">address-query</span></a>
      ${this.renderSources()}
      <div class="settings">
        ${this.renderChoice("paging", "Lists", { endless: "Endless", pages: "Pages" })}
        ${this.renderChoice("times", "Times", { relative: "Ages", absolute: "Dates" })}
        ${this.renderChoice("theme", "Theme", { system: "System", light: "Light", dark: "Dark" })}
      </div>
    </header>`;
  }

  private renderSources(): TemplateResult {
    const { source } = this.context.route;
    const isUrl = source !== "" && !KNOWN_CHAINS.has(source);
    const chosen = this.asksUrl || isUrl ? OWN_URL : source;
    return html`<form class="sources" @submit=${this.openUrl}>
      <label class="visually-hidden" for="source">Service</label>
      <select id="source" @change=${this.choose}>
        <option value="" ?selected=${chosen === ""}>Sample data</option>
        <optgroup label="Chains">
          ${[...KNOWN_CHAINS].map(([name, chain]) => html`<option value=${name} ?selected=${chosen === name}>${chain.name}</option>`)}
        </optgroup>
        <option value=${OWN_URL} ?selected=${chosen === OWN_URL}>Other instance…</option>
      </select>
      ${
        chosen === OWN_URL
          ? html`<label class="visually-hidden" for="base-url">Base URL of a Blockscout instance</label>
              <input id="base-url" type="text" inputmode="url" autocomplete="off" spellcheck="false" placeholder="https://eth.blockscout.com" @change=${this.openUrl} .value=${isUrl ? source : ""} />
              <button type="submit">Connect</button>`
          : nothing
      }
    </form>`;
  }

  private choose(event: Event): void {
    const { value } = event.target as HTMLSelectElement;
    this.asksUrl = value === OWN_URL;
    if (!this.asksUrl) this.open(value);
  }

  private openUrl(event: Event): void {
    event.preventDefault();
    const url = this.querySelector<HTMLInputElement>("#base-url")?.value.trim();
    if (url && url !== this.context.route.source) this.open(url);
  }

  private open(source: string): void {
    const { route, navigate } = this.context;
    navigate({ ...route, source, page: 1, resume: null });
  }

  private renderChoice<Name extends keyof Settings>(name: Name, label: string, options: Record<string, string>): TemplateResult {
    return html`<label class="choice"><span>${label}</span>
      <select name=${name} @change=${(event: Event) => changeSettings({ [name]: (event.target as HTMLSelectElement).value })}>
        ${Object.entries(options).map(([value, text]) => html`<option value=${value} ?selected=${settings[name] === value}>${text}</option>`)}
      </select></label>`;
  }
}
