// The settings: each is a choice that takes effect at once.
import { html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { changeSettings, type Settings, settings, settingsEvents } from "../settings/settings.js";
import { showShortcuts } from "./shortcuts.js";
import "./panels.css";

/** The URL of the guide, which `index.html` names if the site has one. */
const guide = document.querySelector<HTMLLinkElement>('link[rel="help"]')?.href;

@customElement("aq-settings-panel")
export class SettingsPanel extends PageElement {
  private readonly onChange = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    settingsEvents.addEventListener("change", this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    settingsEvents.removeEventListener("change", this.onChange);
  }

  protected override render(): TemplateResult {
    return html`
      ${choice("theme", "Theme", { system: "System", light: "Light", dark: "Dark" })}
      ${choice("density", "Density", { comfortable: "Comfortable", compact: "Compact" })}
      ${choice("times", "Times", { relative: "Ages", absolute: "Dates" })}
      ${choice("paging", "Lists", { endless: "Endless", pages: "Pages" })}
      <div class="options">
        ${guide ? html`<a href=${guide}>Guide</a><a href=${new URL("reference.html", guide).href}>API reference</a>` : nothing}
        <button type="button" @click=${showShortcuts}>Keyboard shortcuts <kbd>?</kbd></button>
      </div>`;
  }
}

function choice<Name extends keyof Settings>(name: Name, label: string, options: Record<string, string>): TemplateResult {
  return html`<fieldset class="choice"><legend class="menu-title">${label}</legend>
    <div class="segments">${Object.entries(options).map(
      ([value, text]) => html`<label><input type="radio" name=${name} value=${value} .checked=${settings[name] === value}
        @change=${() => changeSettings({ [name]: value })} />${text}</label>`,
    )}</div></fieldset>`;
}
