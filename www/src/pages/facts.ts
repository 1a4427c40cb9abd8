// The first tab of a page: the facts of its subject.
import { isAddressQueryError } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import type { Reading } from "../components/reading.js";
import { rowsSkeleton } from "../components/skeleton.js";
import type { TabContext } from "../table/context.js";
import { factGroup } from "../facts/fact-group.js";
import type { SubjectPage } from "./page.js";

@customElement("aq-facts")
export class Facts extends PageElement {
  @property({ attribute: false }) page!: SubjectPage<unknown>;
  @property({ attribute: false }) context!: TabContext;
  /** Owned by the page, which also shows its value in the header. The page requests an update when it changes. */
  // biome-ignore lint/suspicious/noExplicitAny: its arguments do not matter here
  @property({ attribute: false }) reading!: Reading<any, unknown>;

  protected override render(): unknown {
    return this.reading.render({
      initial: () => rowsSkeleton,
      pending: () => rowsSkeleton,
      complete: (value) => this.renderFacts(value),
      error: (error) => this.renderError(error),
    });
  }

  private renderFacts(value: unknown): TemplateResult {
    const { page, context } = this;
    const groups = page.facts(value, context.cells).filter(({ facts }) => facts.length > 0);
    return html`<div class="fact-groups">${page.lead ? html`<section class="card lead" aria-label="Summary">${page.lead(value, context)}</section>` : nothing}
      ${groups.map(factGroup)}</div>`;
  }

  private renderError(error: unknown): TemplateResult {
    const retry = () => void this.reading.run();
    if (!isAddressQueryError(error) || error.status !== 404) return errorBox(error, retry);
    const label = this.page.label.toLowerCase();
    return html`<div class="empty"><h2>No such ${label}</h2>
      <p>${this.context.service.label} does not know this ${label}. Check the ${label === "block" ? "number" : "hash"} and the chain.</p>
      <p><button type="button" @click=${retry}>Retry</button></p></div>`;
  }
}
