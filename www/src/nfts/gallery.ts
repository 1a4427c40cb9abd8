// The NFTs of an address as pictures, grouped by collection. Only the rows in view are in the document.
import type { NftInstance } from "address-query";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { guard } from "lit/directives/guard.js";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { settings } from "../settings/settings.js";
import { PageElement } from "../components/element.js";
import { formatCount } from "../format/number.js";
import { cleanText, shortenHash } from "../format/text.js";
import { nftName } from "../records/nft.js";
import { addressLink, amount, badge, text } from "../table/cells.js";
import { setHeight, VirtualRows } from "../table/virtual-rows.js";
import type { TabContext } from "../table/context.js";
import { type Collection, countColumns, estimateHeight, type GalleryRow, toRows } from "./gallery-rows.js";
import { pictureUrls } from "../records/nft-metadata.js";
import "../components/picture.js";
import "./gallery.css";
import "./gateway.js";
import "./nft-dialog.js";

@customElement("aq-gallery")
export class Gallery extends PageElement {
  @property({ attribute: false }) nfts: readonly NftInstance[] = [];
  @property({ attribute: false }) context!: TabContext;
  @state() private shown: NftInstance | null = null;

  private width = -1;
  private columns = 0;
  private rows: readonly GalleryRow[] = [];
  private readonly virtual = new VirtualRows(this, {
    estimateHeight: (index) => estimateHeight(this.rows[index], this.width, this.columns),
    getTop: () => this.querySelector(".gallery-rows")?.getBoundingClientRect().top ?? 0,
    onResize: () => this.measureWidth(),
    // A row of tiles has about 60 elements, and a picture in each tile.
    getMaxAdded: () => 1,
  });

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.columns === 0) this.measureWidth();
    if (changed.has("nfts")) this.arrange();
  }

  private measureWidth(): void {
    const { width } = this.getBoundingClientRect();
    if (width === this.width) return;
    this.width = width;
    this.columns = countColumns(width);
    this.style.setProperty("--columns", String(this.columns));
    this.arrange();
    this.virtual.reset();
    this.requestUpdate();
  }

  private arrange(): void {
    const rows = toRows(this.nfts, this.columns);
    this.rows = rows;
    this.virtual.update(rows.length, (index) => rows[index]?.key ?? "");
  }

  protected override render(): TemplateResult {
    const { items, before, after } = this.virtual.take();
    return html`
      <div class="gallery-rows">
        <div class="spacer" ${ref(setHeight(before))}></div>
        ${repeat(
          items,
          ({ key }) => key,
          ({ index }) => this.renderRow(index),
        )}
        <div class="spacer" ${ref(setHeight(after))}></div>
      </div>
      ${this.shown ? html`<aq-nft-dialog .nft=${this.shown} .context=${this.context} @close=${() => this.close()}></aq-nft-dialog>` : nothing}`;
  }

  private renderRow(index: number): unknown {
    const row = this.rows[index];
    if (row === undefined) return nothing;
    return guard([row, index, this.context, settings.ipfsGateway], () => {
      const { collection, nfts } = row;
      const content = collection ? this.renderHeading(collection) : nfts.map((nft) => this.renderTile(nft));
      return html`<div class=${collection ? "collection" : "tiles"} data-index=${index} ${ref(this.virtual.measure)}>${content}</div>`;
    });
  }

  private renderHeading({ token, count }: Collection): TemplateResult {
    return html`<h2 class="line wrap">${token ? text(token.name || token.symbol || "Unnamed collection", "name") : "Unknown collection"}
      ${token?.type ? badge(token.type) : nothing}${token?.reputation === "scam" ? badge("scam", "bad") : nothing}
      <span class="collection-count">${formatCount(count, "item")}</span>
      ${token ? addressLink(token.address_hash, this.context.cells) : nothing}</h2>`;
  }

  private renderTile(nft: NftInstance): TemplateResult {
    const isSingle = nft.value === null || nft.value === "1";
    return html`<button type="button" class="tile" @click=${() => this.open(nft)}>
      <aq-picture .urls=${pictureUrls(nft)}></aq-picture>
      <span class="tile-text"><bdi class="name">${cleanText(nftName(nft), 80)}</bdi>
        <span class="line none"><span class="mono">#${cleanText(shortenHash(nft.id, 8, 4))}</span>${
          isSingle ? nothing : html`<span>× ${amount(nft.value, nft.token?.decimals ?? 0)}</span>`
        }</span></span>
    </button>`;
  }

  private open(nft: NftInstance): void {
    this.shown = nft;
  }

  private close(): void {
    this.shown = null;
  }
}
