// The tabs and the panel of the one on display, by the ARIA pattern: arrow keys move, Home and End go to the ends.
import type { AddressTabsCounters } from "address-query";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { PagePart } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { nextTask } from "../scheduling/next-task.js";
import { Reading } from "../components/reading.js";
import { rowsSkeleton } from "../components/skeleton.js";
import { toHref, toTab } from "../route/route.js";
import type { Tab } from "./tab.js";
import type { TabContext } from "../table/context.js";

/** A counter of the service says at most this number, which means "more than 50". */
const MAX_COUNT = 51;

@customElement("aq-tab-bar")
export class TabBar extends PagePart {
  @property({ attribute: false }) tabs: readonly Tab[] = [];
  @property({ attribute: false }) context!: TabContext;
  /** The address whose records are counted, or "". */
  @property() address = "";
  /** Tabs whose code is loaded, and errors of those that failed. */
  @state() private loaded: ReadonlyMap<string, unknown> = new Map();

  /** Id of the tab that the arrow keys moved to. Null: the one on display. */
  @state() private focusedId: string | null = null;

  /** The tab to which the bar was scrolled last. */
  private scrolledId = "";

  private readonly counters = new Reading(this, {
    args: () => [this.context.service.client, this.address] as const,
    task: async ([client, address_hash], { signal }) => {
      if (!address_hash) return null;
      // The list on display is requested first.
      await nextTask();
      return client.addressTabsCounters({ address_hash }, { signal });
    },
  });

  private get tab(): Tab | undefined {
    return this.tabs.find(({ id }) => id === this.context.route.tab) ?? this.tabs[0];
  }

  protected override render(): TemplateResult {
    const { tab } = this;
    return html`
      <div class="tabs" role="tablist" aria-label="Records" @keydown=${this.onKey} @focusout=${this.onFocusOut}>
        ${this.tabs.map((item, index) => this.renderLabel(item, index))}
      </div>
      <section id="panel" role="tabpanel" tabindex="-1" aria-labelledby="tab-${tab?.id ?? ""}">${tab ? this.renderTab(tab) : nothing}</section>`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    // A tab of the same name has another place among other tabs.
    if (changed.has("tabs")) this.scrolledId = "";
    // Together with the layout of the next frame.
    requestAnimationFrame(() => this.showSelectedTab());
  }

  /** Scrolls the bar to the tab on display. `scrollIntoView` would scroll the page too. */
  private showSelectedTab(): void {
    const [bar, tab] = [this.querySelector(".tabs"), this.querySelector<HTMLElement>('[aria-selected="true"]')];
    if (!bar || !tab || tab.id === this.scrolledId) return;
    this.scrolledId = tab.id;
    bar.scrollLeft = tab.offsetLeft - bar.clientWidth / 2 + tab.offsetWidth / 2;
  }

  private renderLabel(item: Tab, index: number): TemplateResult {
    const shown = this.tabs.findIndex(({ id }) => id === this.tab?.id);
    const isFocusable = item.id === (this.focusedId ?? this.tab?.id);
    const key = { [shown - 1]: "[", [shown + 1]: "]" }[index];
    return html`<a
      role="tab"
      id="tab-${item.id}"
      href=${toHref(toTab(this.context.route, item.id))}
      aria-controls="panel"
      aria-selected=${index === shown ? "true" : "false"}
      tabindex=${isFocusable ? 0 : -1}
      data-key=${key ?? nothing}
      >${item.label}${this.renderCount(item)}</a
    >`;
  }

  /** Empty until the number is known, as its place is kept. */
  private renderCount({ count }: Tab): unknown {
    if (!this.address || !count) return nothing;
    const counters: AddressTabsCounters | null | undefined = this.counters.current;
    const number = counters ? count(counters) : null;
    return html` <span class="count">${number !== null && number >= MAX_COUNT ? "50+" : number}</span>`;
  }

  private renderTab(tab: Tab): unknown {
    if (!tab.load || this.loaded.get(tab.id) === true) return tab.render(this.context);
    const error = this.loaded.get(tab.id);
    if (error) return errorBox(error, () => this.load(tab));
    this.load(tab);
    return rowsSkeleton;
  }

  private load(tab: Tab): void {
    const settle = (state: unknown) => {
      this.loaded = new Map(this.loaded).set(tab.id, state);
    };
    void tab.load?.().then(() => settle(true), settle);
  }

  /** Moves the focus. Enter and Space show the focused tab, so that passing over a tab reads nothing. */
  private onKey(event: KeyboardEvent): void {
    const focused = this.tabs.findIndex(({ id }) => `tab-${id}` === document.activeElement?.id);
    if (event.key === " ") {
      event.preventDefault();
      this.querySelector<HTMLElement>(`#tab-${this.tabs[focused]?.id}`)?.click();
      return;
    }
    const last = this.tabs.length - 1;
    const targets: Record<string, number> = {
      ArrowLeft: focused === 0 ? last : focused - 1,
      ArrowRight: focused === last ? 0 : focused + 1,
      Home: 0,
      End: last,
    };
    const target = this.tabs[targets[event.key] ?? -1];
    if (!target) return;
    event.preventDefault();
    this.focusedId = target.id;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#tab-${target.id}`)?.focus());
  }

  /** Shift+Tab from the panel returns to the tab on display. */
  private onFocusOut(event: FocusEvent): void {
    const isInside = event.relatedTarget instanceof Element && event.relatedTarget.role === "tab";
    if (!isInside) this.focusedId = null;
  }
}
