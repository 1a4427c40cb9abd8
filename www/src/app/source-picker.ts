// Chooses the service to read from: sample data, a known chain, Blockscout's gateway, or any instance.
import { html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { toFirstPage } from "../route/route.js";
import { getApiKey, setApiKey } from "../service/api-key.js";
import { gatewayChainId, KNOWN_CHAINS, toGatewaySource } from "../service/service.js";
import type { TabContext } from "../table/context.js";

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
    return html`<form class="sources" @submit=${(event: Event) => this.connect(event, chosen)}>
      <label class="visually-hidden" for="source">Service</label>
      <select id="source" @change=${this.choose}>
        <option value="" ?selected=${chosen === ""}>Sample data</option>
        <optgroup label="Chains">
          ${[...KNOWN_CHAINS].map(([name, chain]) => html`<option value=${name} ?selected=${chosen === name}>${chain.name}</option>`)}
        </optgroup>
        <option value="gateway" ?selected=${chosen === "gateway"}>Gateway with API key…</option>
        <option value="own" ?selected=${chosen === "own"}>Other instance…</option>
      </select>
      ${chosen === "own" ? this.renderUrl(source) : ""}${chosen === "gateway" ? this.renderGateway(source) : ""}
    </form>`;
  }

  /** The option of a source of the route. */
  private toOption(source: string): string {
    if (source === "" || KNOWN_CHAINS.has(source)) return source;
    return gatewayChainId(source) === null ? "own" : "gateway";
  }

  private renderUrl(source: string): TemplateResult {
    const url = this.toOption(source) === "own" ? source : "";
    return html`<label class="visually-hidden" for="base-url">Base URL of a Blockscout instance</label>
      <input id="base-url" type="text" inputmode="url" autocomplete="off" spellcheck="false"
        placeholder="https://eth.blockscout.com" @change=${(event: Event) => this.connect(event, "own")} .value=${url} />
      <button type="submit">Connect</button>`;
  }

  private renderGateway(source: string): TemplateResult {
    return html`<label class="visually-hidden" for="chain-id">Chain id</label>
      <input id="chain-id" type="text" inputmode="numeric" autocomplete="off" required pattern="[1-9][0-9]{0,14}"
        placeholder="Chain id" list="chain-ids" .value=${String(gatewayChainId(source) ?? "")} />
      <datalist id="chain-ids">${[...KNOWN_CHAINS.values()].map(({ id, name }) => html`<option value=${id}>${name}</option>`)}</datalist>
      <label class="visually-hidden" for="api-key">API key</label>
      <input id="api-key" type="password" autocomplete="off" required placeholder="API key" .value=${getApiKey()} />
      <button type="submit">Connect</button>`;
  }

  private choose(event: Event): void {
    const { value } = event.target as HTMLSelectElement;
    this.asked = value === "own" || value === "gateway" ? value : null;
    if (this.asked === null) this.open(value);
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
    // What was read with another key, and what failed with it, is read again.
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
  }
}
