// The shell of the page, which shows what the route names.
import { html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { PagePart } from "../components/element.js";
import { startCopyButtons } from "../components/copy.js";
import { clock } from "../format/clock.js";
import { cleanText, isAddress } from "../format/text.js";
import { Router } from "../route/router.js";
import { type Route, toSubject } from "../route/route.js";
import { openService, type Service } from "../service/service.js";
import { addressTabs, chainTabs } from "../tabs/index.js";
import type { TabContext } from "../table/context.js";
import "../address/header.js";
import "../tabs/tab-bar.js";
import { whenIdle } from "../scheduling/when-idle.js";
import { applyTheme, settings, settingsEvents } from "../settings/settings.js";
import { startShortcuts } from "./shortcuts.js";
import "./top-bar.js";
import "./app.css";

whenIdle(() => void Promise.all([import("../address/hover-card.js"), import("../styles/print.css")]));

/** Times are shown as ages, which change while the page is open. */
const CLOCK_MS = 30_000;

@customElement("aq-app")
export class App extends PagePart {
  @state() private route!: Route;
  private readonly router = new Router((route) => this.show(route));
  private service!: Service;
  /**
   * A new object for each route, setting and tick of the clock, so that everything that depends on it is rendered
   * again.
   */
  private context!: TabContext;
  private shownAddress = "";
  private clock: ReturnType<typeof setInterval> | undefined;
  private readonly onSettings = () => this.show(this.route);

  override connectedCallback(): void {
    super.connectedCallback();
    applyTheme();
    startCopyButtons(document);
    startShortcuts();
    addEventListener("load", () => whenIdle(() => void import("../styles/fonts.js").then(({ loadFonts }) => loadFonts())), {
      once: true,
    });
    settingsEvents.addEventListener("change", this.onSettings);
    this.clock = setInterval(this.onSettings, CLOCK_MS);
    this.show(this.router.route);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    settingsEvents.removeEventListener("change", this.onSettings);
    clearInterval(this.clock);
  }

  private show(route: Route): void {
    this.service = openService(route.source);
    const { coin, chainId } = this.service;
    clock.isSample = route.source === "";
    const cells = { route, coin, chainId, times: settings.times };
    this.context = {
      service: this.service,
      route,
      cells,
      previous: this.router.previous,
      navigate: (next, previous) => this.router.push(next, previous),
    };
    this.route = { ...route };
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("route")) return;
    const { address } = this.route;
    if (isAddress(address) && address !== this.shownAddress) {
      this.shownAddress = address;
      whenIdle(() => void import("../start/recent-addresses.js").then(({ addRecent }) => addRecent(address)));
    }
    const subject = toSubject(this.route);
    const title = subject ? `${cleanText(subject, 80)} – address-query` : "address-query";
    // Each assignment is a message to the browser process.
    if (document.title !== title) document.title = title;
  }

  protected override render(): TemplateResult {
    const { route, context } = this;
    if (route.show) void import("../pages/subject-page.js");
    return html`
      <a class="skip-link" href="#panel">Skip to results</a>
      <aq-top-bar .context=${context}></aq-top-bar>
      <main>
        ${route.show ? html`<aq-subject-page .context=${context}></aq-subject-page>` : this.renderAddress()}
      </main>
      <aq-hover-card .client=${this.service.client} .cells=${context.cells}></aq-hover-card>
      <p id="announcer" class="visually-hidden" aria-live="polite"></p>`;
  }

  /** An address, or the lists of the whole chain. */
  private renderAddress(): TemplateResult {
    const { route, context } = this;
    const hasAddress = isAddress(route.address);
    if (!hasAddress && route.accounts) {
      void import("../accounts/accounts-page.js");
      return html`<aq-accounts .context=${context}></aq-accounts>`;
    }
    return html`${hasAddress ? html`<aq-address-header .client=${this.service.client} .address=${route.address} .cells=${context.cells}></aq-address-header>` : html`<h1 class="visually-hidden">Addresses and token transfers of the chain</h1>`}
      <aq-tab-bar .tabs=${hasAddress ? addressTabs : chainTabs} .context=${context} .address=${hasAddress ? route.address : ""}></aq-tab-bar>`;
  }
}
