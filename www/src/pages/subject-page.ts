// Shows one transaction, token or block: its header, and its tabs.
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { failedPart } from "../address/fact.js";
import { readShared } from "../address/shared-reading.js";
import { PageElement } from "../components/element.js";
import { icon } from "../components/icon.js";
import { Reading, TaskStatus } from "../components/reading.js";
import { skeleton } from "../components/skeleton.js";
import { cleanText, shortenHash } from "../format/text.js";
import { copyButton } from "../table/cells.js";
import type { TabContext } from "../table/context.js";
import type { Tab } from "../tabs/tab.js";
import "../tabs/tab-bar.js";
import "./facts.js";
import { pages } from "./index.js";
import type { SubjectPage } from "./page.js";
import "./pages.css";

@customElement("aq-subject-page")
export class SubjectPageElement extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  /** The tabs of the current page. The bar measures a new array. */
  private tabs: readonly Tab[] = [];

  private readonly value = new Reading(this, {
    args: () => [this.context.service.client, this.page, this.context.route.id] as const,
    task: async ([client, page, id]) => (page?.isValid(id) ? readShared(client, id, page.read) : undefined),
  });

  private get page(): SubjectPage<unknown> | undefined {
    return pages.find(({ id }) => id === this.context.route.show);
  }

  /** Updates the facts, which the tab bar renders only for another route. */
  protected override updated(): void {
    this.querySelector<PageElement>("aq-facts")?.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { page, context } = this;
    const { id } = context.route;
    if (!page)
      return html`<div class="empty"><h1>Unknown page</h1><p>Search for an address, a transaction, a token or a block.</p></div>`;
    if (!page.isValid(id))
      return html`<div class="empty"><h1>Invalid ${page.label.toLowerCase()}</h1><p>Enter ${page.hint}.</p></div>`;
    this.updateTabs(page);
    const value = this.value.current;
    const [main, beside] = value === undefined ? [skeleton(), skeleton()] : page.figure(value, context.cells);
    return html`<section class="address-header" aria-label="${page.label} summary">
        <span class="identicon subject-icon">${icon(page.icon)}</span>
        <div class="identity-lines">
          <h1><bdi>${value !== undefined && page.title ? cleanText(page.title(value), 80) : page.label}</bdi></h1>
          <div class="identity-line">
            <p class="full-hash mono"><span class="long">${cleanText(id)}</span><span class="short" aria-hidden="true">${cleanText(shortenHash(id))}</span>${copyButton(id, page.label.toLowerCase())}</p>
            <div class="badges">${value === undefined ? nothing : page.badges(value, context.cells)}</div>
          </div>
        </div>
        <div class="worth">${this.value.status === TaskStatus.ERROR ? this.renderRetry(page) : html`<strong>${main}</strong><span class="worth-parts">${beside}</span>`}</div>
      </section>
      <aq-tab-bar .tabs=${this.tabs} .context=${context}></aq-tab-bar>`;
  }

  /** A retry button for the header, unless the facts tab is shown, which describes the error and has its own button. */
  private renderRetry({ id, label }: SubjectPage<unknown>): unknown {
    const { tab } = this.context.route;
    return tab === id || tab === "" ? nothing : failedPart(label, this.value.error, () => void this.value.run());
  }

  /** Adds the lists that this subject can have, once it is known. A list that is already shown stays. */
  private updateTabs(page: SubjectPage<unknown>): void {
    const value = this.value.current;
    const isShown = ({ tab, isOf }: SubjectPage<unknown>["lists"][number]) =>
      !isOf || (value === undefined ? tab.id === this.context.route.tab : isOf(value));
    const ids = [page.id, ...page.lists.filter(isShown).map(({ tab }) => tab.id)];
    if (ids.join() === this.tabs.map(({ id }) => id).join()) return;
    this.tabs = [
      {
        id: page.id,
        label: page.label,
        render: (context) => html`<aq-facts .page=${page} .context=${context} .reading=${this.value}></aq-facts>`,
      },
      ...page.lists.filter(isShown).map(({ tab }) => tab),
    ];
  }
}
