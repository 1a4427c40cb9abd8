// The bar at the top: the name, the service to read from, links to the documentation, and the settings.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PagePart } from "../components/element.js";
import { toHref, toTab } from "../route/route.js";
import type { TabContext } from "../table/context.js";
import { changeSettings, type Settings, settings } from "../settings/settings.js";
import type { Shortcuts } from "./shortcuts.js";
import "./shortcuts.js";
import "./source-picker.js";

/** Matches where the bar has room for the settings. They are a menu elsewhere. */
const wide = matchMedia("(min-width: 70rem)");

/** The site has the guide and the API reference beside the page, and says so in its head. */
const guide = document.querySelector<HTMLLinkElement>('link[rel="help"]')?.href;

@customElement("aq-top-bar")
export class TopBar extends PagePart {
  @property({ attribute: false }) context!: TabContext;
  @state() private isOpen = wide.matches;
  private readonly onWidth = () => {
    this.isOpen = wide.matches;
  };

  override connectedCallback(): void {
    super.connectedCallback();
    wide.addEventListener("change", this.onWidth);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    wide.removeEventListener("change", this.onWidth);
  }

  protected override render(): TemplateResult {
    const { route } = this.context;
    const home = toHref({ ...toTab(route, ""), address: "" });
    return html`<header class="top-bar">
      <a class="brand" href=${home}><span class="brand-mark" aria-hidden="true"></span><span class="brand-name">address-query</span></a>
      <aq-source-picker .context=${this.context}></aq-source-picker>
      <details class="menu settings" .open=${this.isOpen} @keydown=${this.onKey}
        @toggle=${({ target }: Event) => (this.isOpen = (target as HTMLDetailsElement).open)}>
        <summary class="button">Settings</summary>
        <div class="menu-panel" role="group" aria-label="Settings">
        ${guide ? html`<a href=${guide}>Guide</a><a href=${new URL("./api/index.html", guide).href}>API reference</a>` : nothing}
        ${this.renderChoice("paging", "Lists", { endless: "Endless", pages: "Pages" })}
        ${this.renderChoice("times", "Times", { relative: "Ages", absolute: "Dates" })}
        ${this.renderChoice("theme", "Theme", { system: "System", light: "Light", dark: "Dark" })}
        <button type="button" class="quiet" data-key="?" @click=${() => this.querySelector<Shortcuts>("aq-shortcuts")?.show()}>Shortcuts</button>
        </div>
      </details>
    </header>
    <aq-shortcuts></aq-shortcuts>`;
  }

  private onKey({ key }: KeyboardEvent): void {
    if (key !== "Escape" || wide.matches || !this.isOpen) return;
    this.isOpen = false;
    this.querySelector("summary")?.focus();
  }

  private renderChoice<Name extends keyof Settings>(name: Name, label: string, options: Record<string, string>): TemplateResult {
    return html`<label class="choice"><span>${label}</span>
      <select name=${name} @change=${(event: Event) => changeSettings({ [name]: (event.target as HTMLSelectElement).value })}>
        ${Object.entries(options).map(([value, text]) => html`<option value=${value} ?selected=${settings[name] === value}>${text}</option>`)}
      </select></label>`;
  }
}
