// Chooses the service to read from: Blockscout's gateway, sample data, a known chain, or any instance.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import type { Menu } from "../components/menu.js";
import { toFirstPage } from "../route/route.js";
import { getApiKey, setApiKey } from "../service/api-key.js";
import { gatewayChainId, KNOWN_CHAINS, toGatewaySource } from "../service/service.js";
import type { TabContext } from "../table/context.js";
import { chainIcon } from "../components/chain-icon.js";
import "./panels.css";

/** Options that need more than the choice: the URL of an instance, or a chain id and an API key. */
type Detailed = "own" | "gateway";

@customElement("aq-source-picker")
export class SourcePicker extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  /** The option whose details are being entered. */
  @state() private asked: Detailed | null = null;

  protected override render(): TemplateResult {
    const { source } = this.context.route;
    const chosen = this.asked ?? this.toOption(source);
    const option = (value: string, label: string, chainId: number | null, choose: () => void) =>
      html`<button type="button" aria-pressed=${chosen === value ? "true" : "false"} @click=${choose}>${chainIcon({ chainId, label })}${label}</button>`;
    const ask = (value: Detailed, label: string) => option(value, label, null, () => (this.asked = value));
    return html`<form class="sources" @submit=${(event: Event) => this.connect(event, chosen)}>
      <div class="options">
        ${ask("gateway", "Gateway with API key…")} ${option("", "Sample data", 1, () => this.open(""))}
        ${[...KNOWN_CHAINS].map(([name, chain]) => option(name, chain.name, chain.id, () => this.open(name)))}
        ${ask("own", "Other instance…")}
      </div>
      ${chosen === "own" ? this.renderUrl(source) : nothing}${chosen === "gateway" ? this.renderGateway(source) : nothing}
    </form>`;
  }

  /** The option of a source of the route. */
  private toOption(source: string): string {
    if (source === "" || KNOWN_CHAINS.has(source)) return source;
    return gatewayChainId(source) === null ? "own" : "gateway";
  }

  private renderUrl(source: string): TemplateResult {
    const url = this.toOption(source) === "own" ? source : "";
    return html`<label class="field">Base URL of a Blockscout instance
        <input id="base-url" type="text" inputmode="url" autocomplete="off" spellcheck="false"
          placeholder="https://eth.blockscout.com" @change=${(event: Event) => this.connect(event, "own")} .value=${url} /></label>
      <button type="submit" class="primary">Connect</button>`;
  }

  private renderGateway(source: string): TemplateResult {
    return html`<label class="field">Chain id
        <input id="chain-id" type="text" inputmode="numeric" autocomplete="off" required pattern="[1-9][0-9]{0,14}"
          list="chain-ids" .value=${String(gatewayChainId(source) ?? "")} /></label>
      <datalist id="chain-ids">${[...KNOWN_CHAINS.values()].map(({ id, name }) => html`<option value=${id}>${name}</option>`)}</datalist>
      <label class="field">API key
        <input id="api-key" type="password" autocomplete="off" required .value=${getApiKey()} /></label>
      <button type="submit" class="primary">Connect</button>`;
  }

  private connect(event: Event, chosen: string): void {
    event.preventDefault();
    if (chosen === "gateway") this.openGateway(Number(this.readField("#chain-id")), this.readField("#api-key"));
    else if (this.readField("#base-url")) this.open(this.readField("#base-url"));
  }

  private openGateway(chainId: number, key: string): void {
    const isOtherKey = key !== getApiKey();
    const source = toGatewaySource(chainId);
    setApiKey(key);
    // Read everything again, including what failed, with the new key.
    if (isOtherKey && source === this.context.route.source) location.reload();
    else this.open(source);
  }

  private readField(selector: string): string {
    return this.querySelector<HTMLInputElement>(selector)?.value.trim() ?? "";
  }

  private open(source: string): void {
    const { route, navigate } = this.context;
    this.asked = null;
    navigate({ ...toFirstPage(route), source });
    this.closest<Menu>("aq-menu")?.close();
  }
}
