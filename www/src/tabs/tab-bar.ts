// The tabs and the current panel, following the ARIA pattern: arrow keys move, Home and End go to the ends.
import type { AddressTabsCounters } from "address-query";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ChevronDown } from "lucide";
import { customElement, property, state } from "lit/decorators.js";
import { readShared, readTabsCounters } from "../address/shared-reading.js";
import { PagePart } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { icon } from "../components/icon.js";
import "../components/menu.js";
import { nextTask } from "../scheduling/next-task.js";
import { Reading } from "../components/reading.js";
import { rowsSkeleton } from "../components/skeleton.js";
import { toHref, toTab } from "../route/route.js";
import type { Tab } from "./tab.js";
import type { TabContext } from "../table/context.js";

/** The maximum of the service's counters, which means "more than 50". */
const MAX_COUNT = 51;

const TAB_ID = "tab-";
/** The width of the button "More", in pixels. */
const MORE_WIDTH = 84;

@customElement("aq-tab-bar")
export class TabBar extends PagePart {
  @property({ attribute: false }) tabs: readonly Tab[] = [];
  @property({ attribute: false }) context!: TabContext;
  /** The address whose records are counted, or "". */
  @property() address = "";
  /** Tabs whose code is loaded, and errors of those that failed. */
  @state() private loaded: ReadonlyMap<string, unknown> = new Map();

  /** Id of the tab that the arrow keys moved to. Null: the current tab. */
  @state() private focusedId: string | null = null;

  /** Ids of the tabs that fit into the bar. Null: not measured yet. */
  @state() private fitting: readonly string[] | null = null;
  /** The width of each tab that was measured, in pixels. */
  private readonly widths = new Map<string, number>();
  private readonly size = new ResizeObserver(() => this.fold());

  private readonly counters = new Reading(this, {
    args: () => [this.context.service.client, this.address] as const,
    task: async ([client, address]) => {
      if (!address) return null;
      // Request the visible list first.
      await nextTask();
      return readShared(client, address, readTabsCounters);
    },
  });

  private get tab(): Tab | undefined {
    return this.tabs.find(({ id }) => id === this.context.route.tab) ?? this.tabs[0];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.size.disconnect();
  }

  /** The tabs in the bar. If the current tab does not fit, it replaces the last ones. */
  private get shownTabs(): readonly Tab[] {
    const { fitting, tab } = this;
    if (fitting === null || !tab || fitting.length === this.tabs.length) return this.tabs;
    const ids = [...fitting];
    if (!ids.includes(tab.id)) {
      const available = this.clientWidth - MORE_WIDTH - this.measure([tab.id]);
      do ids.pop();
      while (ids.length > 0 && this.measure(ids) > available);
      ids.push(tab.id);
    }
    return this.tabs.filter(({ id }) => ids.includes(id));
  }

  /** The width of tabs. */
  private readonly measure = (ids: readonly string[]) => ids.reduce((sum, id) => sum + (this.widths.get(id) ?? 0), 0);

  protected override render(): TemplateResult {
    const { tab, shownTabs } = this;
    const folded = this.tabs.filter((item) => !shownTabs.includes(item));
    return html`
      <div class="tabs">
        <div role="tablist" aria-label="Records" @keydown=${this.onKey} @focusout=${this.onFocusOut}>
          ${shownTabs.map((item) => this.renderLabel(item))}
        </div>
        ${folded.length > 0 ? this.renderMore(folded) : nothing}
      </div>
      <section id="panel" role="tabpanel" tabindex="-1" aria-labelledby="tab-${tab?.id ?? ""}">${tab ? this.renderTab(tab) : nothing}</section>`;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("tabs")) this.fitting = null;
  }

  protected override updated(): void {
    // Fold before the next frame is drawn: the observer reports only a changed size.
    if (this.fitting === null) this.fold();
  }

  /** Finds the tabs that fit, by the widths that all of them have while none is folded. */
  private fold(): void {
    const bar = this.querySelector<HTMLElement>("[role=tablist]");
    if (!bar) return;
    for (const { id, offsetWidth } of bar.querySelectorAll<HTMLElement>("[role=tab]"))
      this.widths.set(id.slice(TAB_ID.length), offsetWidth);
    const available = this.clientWidth;
    const fitting = this.tabs.map(({ id }) => id);
    if (this.measure(fitting) > available)
      while (fitting.length > 1 && this.measure(fitting) + MORE_WIDTH > available) fitting.pop();
    if (fitting.join() !== this.fitting?.join()) this.fitting = fitting;
  }

  private renderLabel(item: Tab): TemplateResult {
    const isFocusable = item.id === (this.focusedId ?? this.tab?.id);
    return html`<a
      role="tab"
      id="tab-${item.id}"
      href=${toHref(toTab(this.context.route, item.id))}
      aria-controls="panel"
      aria-selected=${item === this.tab ? "true" : "false"}
      tabindex=${isFocusable ? 0 : -1}
      data-key=${this.keyOf(item)}
      >${item.label}${this.renderCount(item)}</a
    >`;
  }

  /** The shortcut that shows the tab, if it is beside the current tab. */
  private keyOf(item: Tab): unknown {
    const shown = this.tabs.findIndex(({ id }) => id === this.tab?.id);
    return { [shown - 1]: "[", [shown + 1]: "]" }[this.tabs.indexOf(item)] ?? nothing;
  }

  /** The tabs that do not fit, as links in a menu. Shortcuts find them while it is closed, too. */
  private renderMore(folded: readonly Tab[]): TemplateResult {
    const link = (item: Tab) =>
      html`<a href=${toHref(toTab(this.context.route, item.id))} data-tab-link=${item.id}>${item.label}${this.renderCount(item)}</a>`;
    const close = () => this.querySelector("aq-menu")?.close();
    return html`<aq-menu label="More tabs" look="more" .face=${html`More${icon(ChevronDown)}`}
        .content=${() => html`<div class="options" @click=${close}>${folded.map(link)}</div>`}></aq-menu>
      <div hidden>${folded.map((item) => html`<a href=${toHref(toTab(this.context.route, item.id))} data-key=${this.keyOf(item)}></a>`)}</div>`;
  }

  /** Empty, but with reserved space, until the number is known. */
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

  /** Moves the focus. Only Enter and Space show the focused tab, so that moving past a tab reads nothing. */
  private onKey(event: KeyboardEvent): void {
    const tabs = this.shownTabs;
    const focused = tabs.findIndex(({ id }) => TAB_ID + id === document.activeElement?.id);
    if (event.key === " ") {
      event.preventDefault();
      this.querySelector<HTMLElement>(`#tab-${tabs[focused]?.id}`)?.click();
      return;
    }
    const last = tabs.length - 1;
    const targets: Record<string, number> = {
      ArrowLeft: focused === 0 ? last : focused - 1,
      ArrowRight: focused === last ? 0 : focused + 1,
      Home: 0,
      End: last,
    };
    const target = tabs[targets[event.key] ?? -1];
    if (!target) return;
    event.preventDefault();
    this.focusedId = target.id;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#tab-${target.id}`)?.focus());
  }

  /** Shift+Tab from the panel returns to the current tab. */
  private onFocusOut(event: FocusEvent): void {
    const isInside = event.relatedTarget instanceof Element && event.relatedTarget.role === "tab";
    if (!isInside) this.focusedId = null;
  }
}
