// The card that appears beside an address: its name, what it is, its tags and its balance.
import { type AddressClient, type AddressInfo, fiatValue } from "address-query";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { Reading } from "../components/reading.js";
import { skeleton } from "../components/skeleton.js";
import { formatFiat } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { badge, coins, text } from "../table/cells.js";
import type { CellContext } from "../table/context.js";
import { failedPart } from "./fact.js";
import { highlight, startHighlight } from "./highlight.js";
import { identicon } from "./identicon.js";
import { addressKind, addressName, addressTags, isScam } from "../format/address-name.js";
import { placeBeside } from "../components/place.js";

/** Long enough that moving the pointer across an address neither shows nor reads anything. */
const OPEN_DELAY_MS = 350;
/** Time to move the pointer from the address to the card. */
const CLOSE_DELAY_MS = 200;
const MAX_TAGS = 5;
const MAX_CACHED = 200;

@customElement("aq-hover-card")
export class HoverCard extends PageElement {
  @property({ attribute: false }) client!: AddressClient;
  @property({ attribute: false }) cells!: CellContext;
  /** The element whose address the card shows. */
  @state() private anchor: HTMLElement | null = null;

  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly cached = new Map<string, AddressInfo>();
  private readonly info = new Reading(this, {
    args: () => [this.client, this.anchor?.dataset["address"] ?? ""] as const,
    task: ([client, address], { signal }) => (address ? this.read(client, address, signal) : null),
  });

  override connectedCallback(): void {
    super.connectedCallback();
    startHighlight(document);
    document.addEventListener(
      "pointerover",
      (event) => event.pointerType !== "touch" && this.follow(event.target, OPEN_DELAY_MS),
    );
    document.addEventListener("focusin", ({ target }) =>
      this.follow(target instanceof Element && target.matches(":focus-visible") ? target : null, 0),
    );
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.show(null));
    addEventListener("scroll", ({ target }) => this.onScroll(target as Node), { passive: true, capture: true });
    addEventListener("popstate", () => this.show(null));
  }

  /**
   * Closes a card that the pointer opened. A card that the focus opened moves along, because focusing an address
   * scrolls to it.
   */
  private onScroll(target: Node): void {
    if (!target.contains(this.anchor)) return;
    if (this.anchor && this.anchor === document.activeElement) this.requestUpdate();
    else this.show(null);
  }

  private async read(client: AddressClient, address_hash: string, signal: AbortSignal): Promise<AddressInfo> {
    const known = this.cached.get(address_hash);
    if (known) return known;
    const info = await client.address({ address_hash }, { signal });
    if (this.cached.size >= MAX_CACHED) this.cached.clear();
    this.cached.set(address_hash, info);
    return info;
  }

  /** Shows the card of the address at `target` after a delay, or hides the card. */
  private follow(target: EventTarget | null, delay: number): void {
    clearTimeout(this.timer);
    if (!(target instanceof Element) || this.contains(target)) return;
    const anchor = target.closest<HTMLElement>("[data-address]");
    highlight(anchor?.dataset["address"] ?? null);
    if (anchor === this.anchor) return;
    // The header already shows more about this address than the card would.
    const isShown = anchor?.classList.contains("full-hash");
    const act = () => this.show(isShown ? null : anchor);
    // Focusing an address scrolls to it, which would end the delay.
    if (anchor && delay === 0) act();
    else this.timer = setTimeout(act, anchor ? delay : CLOSE_DELAY_MS);
  }

  private show(anchor: HTMLElement | null): void {
    clearTimeout(this.timer);
    this.anchor?.removeAttribute("aria-describedby");
    this.anchor = anchor;
    anchor?.setAttribute("aria-describedby", "hover-card");
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("client")) return;
    this.cached.clear();
    this.show(null);
  }

  protected override updated(): void {
    const card = this.querySelector<HTMLElement>("#hover-card");
    if (card && this.anchor?.isConnected) placeBeside(card, this.anchor);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { anchor } = this;
    if (!anchor?.isConnected) return nothing;
    const address = anchor.dataset["address"] ?? "";
    return html`<div id="hover-card" class="hover-card" role="tooltip">
      ${identicon(address)}
      <div class="hover-card-lines">${this.info.render({
        initial: () => skeleton(),
        pending: () => skeleton(),
        complete: (info) => (info ? this.renderInfo(info) : nothing),
        error: (error) => failedPart("address", error, () => void this.info.run()),
      })}
        <p class="mono hover-card-hash">${cleanText(this.info.current?.hash ?? address)}</p>
      </div>
    </div>`;
  }

  private renderInfo(info: AddressInfo): TemplateResult {
    const name = addressName(info);
    const dollars = fiatValue(info.coin_balance, { ...this.cells.coin, exchange_rate: info.exchange_rate });
    return html`
      ${name ? html`<p class="hover-card-name">${text(name, "name")}</p>` : nothing}
      <p class="badges">${badge(addressKind(info), "accent")}
        ${info.is_verified ? badge("Verified", "good") : nothing}${isScam(info) ? badge("Flagged as scam", "bad") : nothing}
        ${addressTags(info)
          .slice(0, MAX_TAGS)
          .map((tag) => badge(tag.name))}</p>
      ${info.coin_balance === null ? nothing : html`<p>${coins(info.coin_balance, this.cells)}${dollars === null ? nothing : html` <span class="none">${formatFiat(dollars)}</span>`}</p>`}`;
  }
}
