// The header of an address: who it is, and what it is worth. Each part is read independently, so that a failure does not affect the
// others.
import { type AddressClient, type AddressInfo, fiatValue, sumDecimals } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PagePart } from "../components/element.js";
import { Reading } from "../components/reading.js";
import { skeleton } from "../components/skeleton.js";
import { formatCount, formatFiat } from "../format/number.js";
import { cleanText, shortenHash } from "../format/text.js";
import { nextTask } from "../scheduling/next-task.js";
import { brief, copyButton } from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import { failedPart } from "./fact.js";
import { identicon } from "./identicon.js";
import { badges, title } from "./identity.js";
import { readInfo, readShared, readTokens } from "./shared-reading.js";
import type { TokenValue } from "./token-value.js";
import "./address.css";

@customElement("aq-address-header")
export class AddressHeader extends PagePart {
  @property({ attribute: false }) client!: AddressClient;
  @property() address = "";
  @property({ attribute: false }) cells!: CellContext;

  private readonly info = this.read(readInfo);
  private readonly tokens = this.read(readTokens);

  private read<Value>(read: (client: AddressClient, address: string) => PromiseLike<Value>) {
    return new Reading(this, {
      args: () => [this.client, this.address] as const,
      task: async ([client, address], { signal }) => {
        // Request the visible list first.
        await nextTask();
        signal.throwIfAborted();
        return readShared(client, address, read);
      },
    });
  }

  protected override render(): TemplateResult {
    const placeholder = () => skeleton();
    return html`<section class="address-header" aria-label="Address summary">
      ${identicon(this.address)}
      <div class="identity-lines">
        <h1><bdi>${title(this.info.current)}</bdi></h1>
        <div class="identity-line">
          <p class="full-hash mono" data-address=${this.address.toLowerCase()}><span class="long">${cleanText(this.address)}</span><span class="short" aria-hidden="true">${cleanText(shortenHash(this.address))}</span>${copyButton(this.address, "address")}</p>
          <div class="badges">${this.info.render({
            initial: placeholder,
            pending: placeholder,
            complete: badges,
            error: (error) => failedPart("name and tags", error, () => void this.info.run()),
          })}</div>
        </div>
      </div>
      <div class="worth">${this.info.render({
        initial: placeholder,
        pending: placeholder,
        complete: (info) => this.renderWorth(info),
        error: () => html`<span class="worth-parts">${this.renderTokens()}</span>`,
      })}</div>
    </section>`;
  }

  /** The coins and the tokens with a price. The value is known when both are. */
  private renderWorth({ coin_balance, exchange_rate, block_number_balance_updated_at: block }: AddressInfo): TemplateResult {
    const dollars = fiatValue(coin_balance, { ...this.cells.coin, exchange_rate });
    const balance = html`<span title=${block === null ? "" : `As of block ${block}`}>${brief(coin_balance, this.cells.coin.decimals, this.cells.coin.symbol)}</span>`;
    const tokens = this.tokens.current;
    const sum =
      dollars === null ? nothing : html`<strong class="number">${tokens ? bound(tokens, dollars) : skeleton()}</strong>`;
    return html`${dollars === null ? html`<strong>${balance}</strong>` : sum}
      <span class="worth-parts">${dollars === null ? nothing : html`${balance} · `}${this.renderTokens()}</span>`;
  }

  private renderTokens(): unknown {
    return this.tokens.render({
      initial: () => skeleton(),
      pending: () => skeleton(),
      complete: (value) => html`<span>${bound(value)} in ${formatCount(value.count, "token")}</span>`,
      error: (error) => failedPart("Token value", error, () => void this.tokens.run()),
    });
  }
}

/** The value of the tokens and coins. A lower bound if there may be more tokens. */
const bound = (tokens: TokenValue, coins = "0"): string =>
  `${tokens.isPartial ? "> " : ""}${formatFiat(sumDecimals([tokens.dollars, coins]))}`;
