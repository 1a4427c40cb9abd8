// The chart of an address's balance, by day or by block.
import type { AddressClient } from "address-query";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type uPlot from "uplot";
import { settingsEvents } from "../settings/settings.js";
import { PageElement } from "../components/element.js";
import { Reading } from "../components/reading.js";
import { formatCount, formatFiat } from "../format/number.js";
import type { Coin } from "../service/service.js";
import { amount } from "../table/cells.js";
import { type BalancePoints, POINTS, type Point, type Unit } from "./balance-points.js";
import { drawPlot, moveCursor } from "./plot.js";
import "./charts.css";

@customElement("aq-balance-chart")
export class BalanceChart extends PageElement {
  @property({ attribute: false }) client!: AddressClient;
  @property() address = "";
  @property({ attribute: false }) coin!: Coin;
  @property() unit: Unit = "day";
  /** Index of the point under the cursor. Null: the last point is shown. */
  @state() private cursor: number | null = null;

  private plot: uPlot | null = null;
  /** The points that the plot shows. */
  private drawn: BalancePoints | undefined;
  private readonly theme = matchMedia("(prefers-color-scheme: dark)");
  private readonly redraw = () => this.draw();
  private readonly resize = new ResizeObserver(([entry]) => {
    if (this.plot && entry) this.plot.setSize({ width: entry.contentRect.width, height: this.plot.height });
  });
  private readonly reading = new Reading(this, {
    args: () => [this.client, this.address, this.coin.decimals, this.unit] as const,
    task: ([client, address, decimals, unit], { signal }) => POINTS[unit](client, address, decimals, signal),
  });

  private get points(): readonly Point[] {
    return this.reading.current?.points ?? [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    settingsEvents.addEventListener("change", this.redraw);
    this.theme.addEventListener("change", this.redraw);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    settingsEvents.removeEventListener("change", this.redraw);
    this.theme.removeEventListener("change", this.redraw);
    this.resize.disconnect();
    this.plot?.destroy();
    this.plot = null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("unit") || changed.has("address") || changed.has("client")) this.cursor = null;
  }

  protected override updated(): void {
    if (this.drawn !== this.reading.current || !this.plot) this.draw();
  }

  private draw(): void {
    this.drawn = this.reading.current;
    this.plot?.destroy();
    this.plot = null;
    const target = this.querySelector<HTMLElement>(".plot");
    if (!target) return;
    this.plot = drawPlot(target, this.points, this.unit, (index) => {
      this.cursor = index;
    });
    this.resize.disconnect();
    this.resize.observe(target);
  }

  protected override render(): TemplateResult {
    return html`<figure class="balance-chart">
      <figcaption>${this.renderCaption()}</figcaption>
      <div class="plot-frame">${this.reading.show(() => this.renderPlot(), html`<span class="skeleton plot-skeleton" aria-hidden="true"></span>`)}</div>
    </figure>`;
  }

  private renderPlot(): TemplateResult {
    const { points } = this;
    if (points.length < 2)
      return html`<p class="empty">${this.unit === "worth" ? "This instance has no prices for a chart." : "Too few balance changes for a chart."}</p>`;
    return html`<div class="plot" tabindex="0" role="img" aria-label=${this.describe()} @keydown=${this.onKey} @blur=${this.onBlur}></div>`;
  }

  private renderCaption(): unknown {
    const point = this.points[this.cursor ?? this.points.length - 1];
    if (!point) return nothing;
    const note = this.reading.current?.isPartial
      ? html`<span class="none">the newest ${formatCount(this.points.length, "change")}</span>`
      : nothing;
    return html`<span class="none">${point.when}</span> <strong>${amount(point.wei, this.coin.decimals, this.coin.symbol)}</strong>
      ${point.dollars === null ? nothing : html`<span class="none" title="At the price of that day">${formatFiat(point.dollars)}</span>`} ${note}`;
  }

  private describe(): string {
    const [first, last] = [this.points[0], this.points.at(-1)];
    if (!first || !last) return "Balance";
    const [title, symbol] =
      this.unit === "worth" ? ["Worth by day", "US dollars"] : [`Balance by ${this.unit}`, this.coin.symbol];
    return `${title}: ${first.y} ${symbol} (${first.when}) to ${last.y} ${symbol} (${last.when}). Arrow keys move between the points.`;
  }

  private onKey(event: KeyboardEvent): void {
    const { plot, points } = this;
    const at = this.cursor ?? points.length - 1;
    const targets: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: points.length - 1 };
    const target = points[targets[event.key] ?? -1];
    if (!plot || !target) return;
    event.preventDefault();
    moveCursor(plot, target);
  }

  private onBlur(): void {
    this.plot?.setCursor({ left: -10, top: -10 });
  }
}
