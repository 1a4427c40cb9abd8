// The chart of an address's balance, by day, by block, or in dollars.
import type { AddressClient } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { Reading } from "../components/reading.js";
import type { Coin } from "../service/service.js";
import { MAX_CHANGES, readPoints, type Unit } from "./balance-points.js";
import { line, type LinePoint } from "./line.js";

@customElement("aq-balance-chart")
export class BalanceChart extends PageElement {
  @property({ attribute: false }) client!: AddressClient;
  @property() address = "";
  @property({ attribute: false }) coin!: Coin;
  @property() unit: Unit = "day";

  private readonly points = new Reading(this, {
    args: () => [this.client, this.address, this.coin, this.unit] as const,
    task: ([client, address, coin, unit], { signal }) => readPoints(client, address, coin, unit, signal),
  });

  protected override render(): TemplateResult {
    const last = this.points.current?.at(-1);
    const scope = this.unit === "block" ? `, at most the newest ${MAX_CHANGES} changes` : "";
    return html`<section class="card balance-chart" aria-label="Balance">
      <p>${last ? html`<strong>${last.text}</strong> <span class="none">${last.date}${scope}</span>` : nothing}</p>
      ${this.points.show((points) => this.renderPoints(points), html`<span class="skeleton drawing tall" aria-hidden="true"></span>`)}
    </section>`;
  }

  private renderPoints(points: readonly LinePoint[]): TemplateResult {
    const { unit } = this;
    if (unit === "worth" && points.length === 0) return html`<p class="none">This instance has no prices for a chart.</p>`;
    return line(points, [unit === "block" ? "Block" : "Day", unit === "worth" ? "Worth" : "Balance"]);
  }
}
