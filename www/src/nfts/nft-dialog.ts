// One NFT in a dialog: its picture, its traits and its metadata.
import type { NftInstance } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { cleanText } from "../format/text.js";
import { toSafeLink } from "../format/url.js";
import { nftName } from "../records/nft.js";
import { copyButton, definitions, json, token } from "../table/cells.js";
import type { TabContext } from "../table/context.js";
import { fullPictureUrls, nftTraits } from "../records/nft-metadata.js";

const MAX_DESCRIPTION = 2000;
const MAX_TRAITS = 50;
const MAX_METADATA = 5000;

/** Dispatches `close` when the user closes it. */
@customElement("aq-nft-dialog")
export class NftDialog extends PageElement {
  @property({ attribute: false }) nft!: NftInstance;
  @property({ attribute: false }) context!: TabContext;

  protected override firstUpdated(): void {
    this.querySelector("dialog")?.showModal();
  }

  protected override render(): TemplateResult {
    const { nft, context } = this;
    const description = nft.metadata?.["description"];
    const link = toSafeLink(nft.external_app_url);
    const film = toSafeLink(nft.animation_url);
    return html`<dialog class="nft-dialog" aria-labelledby="nft-title" @close=${() => this.dispatchEvent(new Event("close"))}
      @click=${this.closeOutside}>
      <div class="nft-dialog-body">
        <div class="line nft-dialog-title"><h2 id="nft-title"><bdi>${cleanText(nftName(nft), 120)}</bdi></h2>
          <button type="button" class="close" aria-label="Close" @click=${this.close}>✕</button></div>
        <aq-picture .urls=${fullPictureUrls(nft)} .label="Picture of the NFT"></aq-picture>
        ${token(nft.token, context.cells)}
        <p class="nft-id mono">#${cleanText(nft.id)}${copyButton(nft.id, "token id")}</p>
        ${typeof description === "string" && description ? html`<p><bdi>${cleanText(description, MAX_DESCRIPTION)}</bdi></p>` : nothing}
        ${definitions(
          nftTraits(nft)
            .slice(0, MAX_TRAITS)
            .map(([name, value]) => [name, json(value)] as const),
        )}
        <p class="line wrap">${link ? externalLink(link, "Web page") : nothing}${film ? externalLink(film, "Animation") : nothing}</p>
        ${
          nft.metadata
            ? html`<details><summary>Metadata</summary><pre class="mono" tabindex="0">${cleanLines(JSON.stringify(nft.metadata, null, 2))}</pre></details>`
            : html`<p class="none">No metadata</p>`
        }
      </div>
    </dialog>`;
  }

  private close(): void {
    this.querySelector("dialog")?.close();
  }

  /** The target of a click beside the content is the dialog. */
  private closeOutside(event: Event): void {
    if (event.target === event.currentTarget) this.close();
  }
}

const externalLink = (url: string, label: string): TemplateResult =>
  html`<a href=${url} target="_blank" rel="noopener noreferrer" title=${cleanText(url)}>${label}: ${cleanText(new URL(url).host, 60)}</a>`;

/** JSON escapes control characters, but not the others that hide or reorder text. */
const cleanLines = (lines: string): string =>
  lines
    .slice(0, MAX_METADATA)
    .split("\n")
    .map((line) => cleanText(line))
    .join("\n");
