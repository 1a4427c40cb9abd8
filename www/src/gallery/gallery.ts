// The NFTs of an address as pictures, grouped by collection.
import type { NftInstance, Token } from "address-query";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { settings } from "../app/settings.js";
import { PageElement } from "../components/element.js";
import { formatCount } from "../format/number.js";
import { cleanText, shortenHash } from "../format/text.js";
import { nftName } from "../records/nft.js";
import { addressLink, amount, badge, text } from "../table/cells.js";
import type { TabContext } from "../tabs/tab.js";
import { pictureUrls } from "./nft.js";
import "../components/picture.js";
import "./gallery.css";
import "./gateway.js";
import "./nft-dialog.js";

interface Collection {
  key: string;
  token: Token | null;
  nfts: NftInstance[];
}

@customElement("aq-gallery")
export class Gallery extends PageElement {
  @property({ attribute: false }) nfts: readonly NftInstance[] = [];
  @property({ attribute: false }) context!: TabContext;
  @state() private shown: NftInstance | null = null;

  private collections: readonly Collection[] = [];

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("nfts")) this.collections = groupByCollection(this.nfts);
  }

  protected override render(): TemplateResult {
    return html`
      <aq-gateway .gateway=${settings.ipfsGateway}></aq-gateway>
      ${repeat(
        this.collections,
        ({ key }) => key,
        (collection) => this.renderCollection(collection),
      )}
      ${this.shown ? html`<aq-nft-dialog .nft=${this.shown} .context=${this.context} @close=${() => this.close()}></aq-nft-dialog>` : nothing}`;
  }

  private renderCollection({ token, nfts }: Collection): TemplateResult {
    return html`<section class="collection">
      <h2 class="line wrap">${token ? text(token.name || token.symbol || "Unnamed collection", "name") : "Unknown collection"}
        ${token?.type ? badge(token.type) : nothing}${token?.reputation === "scam" ? badge("scam", "bad") : nothing}
        <span class="collection-count">${formatCount(nfts.length, "item")}</span>
        ${token ? addressLink(token.address_hash, this.context.cells) : nothing}</h2>
      <ul class="tiles">${repeat(
        nfts,
        ({ id }) => id,
        (nft) => this.renderTile(nft),
      )}</ul>
    </section>`;
  }

  private renderTile(nft: NftInstance): TemplateResult {
    const isSingle = nft.value === null || nft.value === "1";
    return html`<li class="tile"><button type="button" @click=${() => this.open(nft)}>
      <aq-picture .urls=${pictureUrls(nft)}></aq-picture>
      <span class="tile-text"><bdi class="name">${cleanText(nftName(nft), 80)}</bdi>
        <span class="line none"><span class="mono">#${cleanText(shortenHash(nft.id, 8, 4))}</span>${
          isSingle ? nothing : html`<span>× ${amount(nft.value, nft.token?.decimals ?? 0)}</span>`
        }</span></span>
    </button></li>`;
  }

  private open(nft: NftInstance): void {
    this.shown = nft;
  }

  private close(): void {
    this.shown = null;
  }
}

/** Groups NFTs by contract, in the order of the list. */
function groupByCollection(nfts: readonly NftInstance[]): Collection[] {
  const groups = new Map<string, Collection>();
  for (const nft of nfts) {
    const key = nft.token?.address_hash ?? "";
    const group = groups.get(key);
    if (group) group.nfts.push(nft);
    else groups.set(key, { key, token: nft.token, nfts: [nft] });
  }
  return [...groups.values()];
}
