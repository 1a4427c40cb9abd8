// What others may spend of an address. Read on a click, because the events of the whole chain are searched.
import { type AddressClient, fiatValue, isAddressQueryError, sumDecimals } from "address-query";
import { type Approval, type Approvals, type ApprovalsProgress, approvals } from "address-query/approvals";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { initialState, Reading, TaskStatus } from "../components/reading.js";
import { formatCount, formatFiat, formatInteger } from "../format/number.js";
import * as cells from "../table/cells.js";
import type { TabContext } from "../table/context.js";

const STAGES = { events: "Reading events", allowances: "Asking the chain what is left", details: "Looking up names and prices" };
const KINDS = { allowance: "Amount", token: "One NFT", operator: "All NFTs", permit2: "Amount, Permit2" };

@customElement("aq-approvals-tab")
export class ApprovalsTab extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  @state() private progress: ApprovalsProgress | null = null;
  /** The address whose approvals were asked for, and of which chain: another one waits for a click. */
  @state() private searched: { client: AddressClient; address: string } | null = null;
  /** Continues the last call that failed. */
  private resume: string | undefined;

  private readonly reading = new Reading(this, {
    args: () => [this.isSearched ? this.searched : null] as const,
    task: async ([searched], { signal }) => {
      if (searched === null) return initialState;
      const { client, address: address_hash } = searched;
      const { resume } = this;
      this.resume = undefined;
      const onProgress = (progress: ApprovalsProgress) => {
        this.progress = progress;
      };
      try {
        return await approvals(client, { address_hash, current: true, resume, onProgress, signal });
      } catch (error) {
        if (signal.aborted) return initialState;
        if (isAddressQueryError(error)) this.resume = error.resumeToken;
        throw error;
      } finally {
        this.progress = null;
      }
    },
  });

  private get isSearched(): boolean {
    const { service, route } = this.context;
    return this.searched?.client === service.client && this.searched.address === route.address;
  }

  private start(): void {
    const { service, route } = this.context;
    if (!this.isSearched) this.resume = undefined;
    this.searched = { client: service.client, address: route.address };
  }

  protected override render(): TemplateResult {
    const { reading } = this;
    const { current: result } = reading;
    const isReading = reading.status === TaskStatus.PENDING;
    return html`<p class="note"><span role="status">${isReading ? this.describeProgress() : result ? describe(result) : ""}</span>
        ${
          isReading
            ? html`<button type="button" data-key="Escape" @click=${() => reading.abort()}>Cancel</button>`
            : result
              ? html`<button type="button" @click=${() => this.start()}>Search again</button>`
              : nothing
        }</p>
      ${reading.status === TaskStatus.ERROR ? errorBox(reading.error, () => this.start()) : nothing}
      ${reading.status === TaskStatus.INITIAL ? this.renderStart() : nothing}
      <div class="list-body" aria-busy=${isReading ? "true" : "false"} data-tab="approvals">${
        result && result.items.length > 0 ? this.renderItems(result.items) : nothing
      }</div>`;
  }

  private renderStart(): TemplateResult {
    return html`<div class="empty"><h2>What others may spend</h2>
      <p>A spender can take what is approved at any time. The search reads the events of the whole chain, and asks the chain what is left.</p>
      <button type="button" class="primary" @click=${() => this.start()}>Search approvals</button></div>`;
  }

  private describeProgress(): string {
    const { progress } = this;
    if (!progress) return "Searching…";
    const found = `${formatCount(progress.events, "event")}, ${formatCount(progress.approvals, "approval")} so far`;
    return `${STAGES[progress.stage]}: ${Math.round(100 * progress.fraction)} %. ${found}.`;
  }

  private renderItems(items: readonly Approval[]): TemplateResult {
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label="Approvals">
      <table aria-label="Approvals">
        <thead>
          <tr><th scope="col" class="w-l">Token</th><th scope="col" class="w-l">Spender</th><th scope="col" class="w-m">Covers</th>
            <th scope="col" class="w-l end">Approved</th><th scope="col" class="w-m end">Value at risk</th><th scope="col" class="w-m">Since</th></tr>
        </thead>
        <tbody>${items.map((item) => this.renderItem(item))}</tbody>
      </table>
    </div>`;
  }

  private renderItem(item: Approval): TemplateResult {
    const { cells: context } = this.context;
    const { token, token_hash, spender, spender_hash, kind, event, expires, valueAtRisk } = item;
    return html`<tr>
      <td>${token ? cells.token(token, context) : html`<span class="lines">${cells.badge("Unknown contract", "warn")}${cells.addressLink(token_hash, context)}</span>`}</td>
      <td>${spender ? cells.address(spender, context) : cells.addressLink(spender_hash, context)}</td>
      <td><span class="lines">${KINDS[kind]}${expires === null ? nothing : html`<span class="line">until ${cells.time(expires, context)}</span>`}</span></td>
      <td class="end">${renderAmount(item)}</td>
      <td class="end">${valueAtRisk === null ? cells.none("No price or balance is known") : formatFiat(valueAtRisk)}</td>
      <td><span class="lines">${cells.time(event.timestamp, context)}${cells.transaction(event.transaction_hash, context)}</span></td>
    </tr>`;
  }
}

function renderAmount({ token, token_id, amount, isUnlimited, source }: Approval): TemplateResult {
  const sum = isUnlimited
    ? cells.badge("Unlimited", "bad")
    : token_id === null
      ? cells.amount(amount, token?.decimals ?? null, token?.symbol)
      : cells.tokenId(token_id);
  return source === "chain" ? sum : html`<span class="lines">${sum}${cells.badge("as of the event", "warn")}</span>`;
}

/** What all spenders together could take now: of each token, no more than its balance. */
function sumRisk(items: readonly Approval[]): string {
  const byToken = new Map<string, string>();
  for (const { token_hash, token, balance, valueAtRisk } of items) {
    const held = (token && fiatValue(balance, token)) ?? "0";
    const risk = sumDecimals([valueAtRisk, byToken.get(token_hash) ?? null]);
    byToken.set(token_hash, Number(risk) < Number(held) ? risk : held);
  }
  return sumDecimals([...byToken.values()]);
}

/** What the result covers, and what it lacks. */
function describe({ items, events, block, complete, allowances }: Approvals): string {
  const found = items.length === 0 ? "No approval stands" : `${formatCount(items.length, "approval")} found`;
  const missing = complete ? "" : " Some events are missing, so approvals may be, too.";
  const stale = allowances === "unavailable" ? " This instance cannot ask the chain: the amounts are those of the events." : "";
  const risk = sumRisk(items);
  return `${found}${risk !== "0" ? `, ${formatFiat(risk)} at risk` : ""}, as of block ${formatInteger(block)}, over ${formatCount(events, "event")}.${missing}${stale}`;
}
