// A card of the overview: its title, its scope, and the list behind its figures.
import { html, nothing, type TemplateResult } from "lit";

export interface CardTitle {
  title: string;
  /** What the card covers, and why that is not everything. */
  scope?: unknown;
  /** Label and URL of the list that the figures come from. */
  list?: readonly [label: string, href: string];
}

/** `size` is the card's share of a line on a wide page. */
export const card = (size: "wide" | "major" | "minor", { title, scope, list }: CardTitle, body: unknown): TemplateResult =>
  html`<section class="card overview-card ${size}" aria-label=${title}>
    <h2>${title}${scope ? html` <span class="scope">${scope}</span>` : nothing}${list ? html`<a href=${list[1]}>${list[0]}</a>` : nothing}</h2>
    ${body}
  </section>`;
