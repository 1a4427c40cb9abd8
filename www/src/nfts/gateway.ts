// Asks for the gateway from which IPFS pictures are loaded.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ChevronDown } from "lucide";
import { icon } from "../components/icon.js";
import "../components/menu.js";
import { cleanText } from "../format/text.js";
import { changeSettings } from "../settings/settings.js";
import { PageElement } from "../components/element.js";
import { toSafeLink } from "../format/url.js";

const GATEWAYS = ["https://ipfs.io", "https://dweb.link", "https://4everland.io"];
const OWN_URL = "own";

@customElement("aq-gateway")
export class Gateway extends PageElement {
  /** The chosen gateway. "" means that IPFS pictures are not loaded. */
  @property() gateway = "";
  /** Whether a URL is being entered. */
  @state() private asksUrl = false;
  @state() private error = "";

  protected override render(): TemplateResult {
    const isOwn = this.asksUrl || (this.gateway !== "" && !GATEWAYS.includes(this.gateway));
    const chosen = isOwn ? OWN_URL : this.gateway;
    const option = (value: string, label: string) => html`<option value=${value} ?selected=${value === chosen}>${label}</option>`;
    const content = () => html`<form class="gateway" novalidate @submit=${(event: Event) => this.useOwn(event)}>
      <label for="gateway">Pictures on IPFS</label>
      <select id="gateway" aria-describedby="gateway-hint" @change=${(event: Event) => this.choose(event)}>
        ${option("", "Do not load")} ${GATEWAYS.map((url) => option(url, new URL(url).host))} ${option(OWN_URL, "Other gateway…")}
      </select>
      ${
        isOwn
          ? html`<label class="visually-hidden" for="gateway-url">URL of an IPFS gateway</label>
            <input id="gateway-url" type="text" inputmode="url" autocomplete="off" spellcheck="false" placeholder="https://gateway.example"
              aria-invalid=${this.error ? "true" : "false"} .value=${this.gateway} /><button type="submit">Use</button>`
          : nothing
      }
      <p id="gateway-hint" class=${this.error ? "field-error" : "field-hint"}>${this.error || "The gateway sees which pictures you look at."}</p>
    </form>`;
    const label = this.gateway
      ? `IPFS: ${cleanText(toSafeLink(this.gateway) ? new URL(this.gateway).host : this.gateway, 40)}`
      : "IPFS";
    return html`<aq-menu .label=${label} look="chip" .face=${html`${label}${icon(ChevronDown)}`} .content=${content}></aq-menu>`;
  }

  private choose({ target }: Event): void {
    const { value } = target as HTMLSelectElement;
    this.asksUrl = value === OWN_URL;
    this.error = "";
    if (!this.asksUrl) changeSettings({ ipfsGateway: value });
  }

  private useOwn(event: Event): void {
    event.preventDefault();
    const url = toSafeLink(this.querySelector<HTMLInputElement>("#gateway-url")?.value.trim());
    this.error = url ? "" : "Enter a URL that begins with https://.";
    if (url) changeSettings({ ipfsGateway: new URL(url).origin });
  }
}
