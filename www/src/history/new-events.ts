// A bar that says how many records are newer than the shown ones. What the reader sees does not move until the bar is clicked.
import type { HistoryKind } from "address-query/history";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { formatInteger } from "../format/number.js";
import { isAddress } from "../format/text.js";
import { whenIdle } from "../scheduling/when-idle.js";
import type { TabContext } from "../table/context.js";
import { type AddressWatch, type ArrivedEvent, STATES, watchAddress } from "./address-watch.js";
import "./new-events.css";

const KINDS: Readonly<Record<string, HistoryKind>> = {
  transactions: "transaction",
  "token-transfers": "token_transfer",
  "internal-transactions": "internal_transaction",
  withdrawals: "withdrawal",
};
/** The tabs that show all kinds. */
const MERGED = ["history", "overview"];

/** Whether the service charges for each request: the gateway, and its proxies, whose URLs end with the id of a chain. */
const isBilled = (source: string): boolean => /^gateway:|\/\d+\/?$/.test(source);

/** The parent handles its clicks: it shows the newest rows. */
@customElement("aq-new-events")
export class NewEvents extends PageElement {
  /** The id of the tab. */
  @property({ attribute: false }) tab = "";
  /** The shown rows, newest first. False: not read yet. */
  @property({ attribute: false }) rows: readonly unknown[] | false = false;
  @property({ attribute: false }) context!: TabContext;
  private watch: AddressWatch | undefined;
  private subject = "";
  private unlisten: (() => void) | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.leave();
  }

  /** Other pages, filters and orders do not begin with the newest records. */
  private get isWatchable(): boolean {
    const { route } = this.context;
    const isNewestFirst = Object.entries(route.filters).every(([name, value]) => !value || name === "view");
    const isShown = this.tab in KINDS || MERGED.includes(this.tab);
    return isShown && isAddress(route.address) && route.resume === null && isNewestFirst && !isBilled(route.source);
  }

  protected override updated(): void {
    const { service, route } = this.context;
    const subject = this.isWatchable ? `${route.source} ${route.address}` : "";
    if (subject !== this.subject) this.leave();
    if (!subject || subject === this.subject || !this.rows || !this.isConnected) return;
    this.subject = subject;
    whenIdle(() => {
      if (subject !== this.subject) return;
      this.watch = watchAddress(service, route.address);
      this.unlisten = this.watch.listen(() => this.requestUpdate());
      this.requestUpdate();
    });
  }

  private leave(): void {
    this.unlisten?.();
    this.unlisten = this.watch = undefined;
    this.subject = "";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { watch, rows } = this;
    if (!watch || !rows || !this.isWatchable) return nothing;
    const blocks = (rows as readonly { block_number?: number | null }[]).map(({ block_number }) => block_number ?? -1);
    const newest = blocks.find((block) => block >= 0) ?? -1;
    const kind = KINDS[this.tab];
    const isNew = (event: ArrivedEvent) => !event.isRemoved && (!kind || event.kind === kind) && event.block_number > newest;
    const count = watch.error ? 0 : watch.events.filter(isNew).length;
    return html`<div class="new-events" role="status">
      ${count > 0 ? html`<button type="button">${formatInteger(count)} new<span>${STATES[watch.state]}</span></button>` : nothing}
    </div>`;
  }
}
