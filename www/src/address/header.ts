// The header of an address. Each part is read on its own, so that one that fails leaves the others.
import type { AddressClient, AddressInfo } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PagePart } from "../components/element.js";
import { nextTask } from "../scheduling/next-task.js";
import { Reading } from "../components/reading.js";
import { skeleton } from "../components/skeleton.js";
import { formatCount, formatFiat, toFiat } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { coins, copyButton, integer, none, time } from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import { readActivity } from "./activity.js";
import { fact, failedPart } from "./fact.js";
import { identicon } from "./identicon.js";
import { identity, title } from "./identity.js";
import { readTokenValue, type TokenValue } from "./token-value.js";
import "./address.css";

@customElement("aq-address-header")
export class AddressHeader extends PagePart {
  @property({ attribute: false }) client!: AddressClient;
  @property() address = "";
  @property({ attribute: false }) cells!: CellContext;

  private readonly info = this.read((client, address_hash, signal) => client.address({ address_hash }, { signal }));
  private readonly counters = this.read((client, address_hash, signal) => client.addressCounters({ address_hash }, { signal }));
  private readonly tokens = this.read(readTokenValue);
  private readonly activity = this.read(readActivity);

  private read<Value>(read: (client: AddressClient, address: string, signal: AbortSignal) => PromiseLike<Value>) {
    return new Reading(this, {
      args: () => [this.client, this.address] as const,
      task: async ([client, address], { signal }) => {
        // The list on display is requested first.
        await nextTask();
        return read(client, address, signal);
      },
    });
  }

  protected override render(): TemplateResult {
    return html`<section class="address-header" aria-label="Address summary">
      <div class="identity">
        ${identicon(this.address)}
        <div class="identity-lines">
          <h1><bdi>${title(this.info.current)}</bdi></h1>
          <p class="full-hash mono" data-address=${this.address.toLowerCase()}>${cleanText(this.address)}${copyButton(this.address, "address")}</p>
          <div class="badges">${this.info.render({
            initial: () => skeleton(),
            pending: () => skeleton(),
            complete: (info) => identity(info, this.cells),
            error: (error) => failedPart("name and tags", error, () => void this.info.run()),
          })}</div>
        </div>
      </div>
      <dl class="facts">
        ${fact("Balance", this.info, (info) => this.renderBalance(info))}
        ${fact("Token value", this.tokens, renderTokenValue)}
        ${fact("Transactions", this.counters, (counters) => html`${integer(counters.transactions_count)}${gas(counters.gas_usage_count)}`)}
        ${fact("Token transfers", this.counters, ({ token_transfers_count: count }) => integer(count))}
        ${fact("Last activity", this.activity, ({ last }) => (last ? time(last, this.cells) : none("No activity")))}
        ${fact("First activity", this.activity, ({ first }) => (first ? time(first, this.cells) : none("No activity")))}
        ${this.renderBlocks()}
      </dl>
    </section>`;
  }

  private renderBalance({ coin_balance, exchange_rate, block_number_balance_updated_at: block }: AddressInfo): TemplateResult {
    const dollars = toFiat(coin_balance, this.cells.coin.decimals, exchange_rate);
    const note = block === null ? "" : `As of block ${block}`;
    return html`${coins(coin_balance, this.cells)}
      ${dollars === null ? nothing : html`<span class="sub" title=${note}>${formatFiat(dollars)}</span>`}`;
  }

  private renderBlocks(): unknown {
    const count = this.counters.current?.validations_count ?? "0";
    return count === "0" ? nothing : fact("Blocks validated", this.counters, () => integer(count));
  }
}

const renderTokenValue = ({ dollars, count, isPartial }: TokenValue): TemplateResult => html`
  <span class="number">${isPartial ? "> " : ""}${formatFiat(dollars)}</span>
  <span class="sub">${count === 0 ? "No token with a price" : `${formatCount(count, "token")} with a price`}</span>`;

const gas = (used: string): TemplateResult | typeof nothing =>
  used === "0" ? nothing : html`<span class="sub">${integer(used)} gas used</span>`;
