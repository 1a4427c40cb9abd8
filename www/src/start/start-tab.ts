// The first tab of the start page: addresses to begin with.
import type { SampleAddressId } from "address-query/testing";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { identicon } from "../address/identicon.js";
import { PageElement } from "../components/element.js";
import { shortenHash } from "../format/text.js";
import { toAccounts, toAddress, toHref, toTab } from "../route/route.js";
import { whenIdle } from "../scheduling/when-idle.js";
import type { TabContext } from "../table/context.js";
import { recentAddresses } from "./recent-addresses.js";
import "./start.css";

interface Choice {
  hash: string;
  label: string;
  description: string;
}

/** The sample addresses that show what the page can do. The others are in the search. */
const OFFERED: readonly SampleAddressId[] = ["showcase", "treasury", "token", "collector", "producer", "deep", "empty"];

/** So many of the samples are offered as one account, too. */
const TOGETHER = 2;

@customElement("aq-start-tab")
export class StartTab extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  @state() private samples: readonly Choice[] = [];

  protected override async firstUpdated(): Promise<void> {
    const { sampleAddresses } = await import("../service/sample.js");
    whenIdle(() => void import("./stored-addresses.js"));
    this.samples = OFFERED.flatMap((offered) => sampleAddresses.filter(({ id }) => id === offered));
  }

  protected override render(): TemplateResult {
    const isSample = this.context.route.source === "";
    const recent = recentAddresses();
    return html`<div class="start">
      ${isSample ? html`<h2>Sample addresses ${this.renderTogether(this.samples.slice(0, TOGETHER))}</h2><ul>${this.samples.map((sample) => this.renderChoice(sample))}</ul>` : nothing}
      ${recent.length > 0 ? html`<h2>Recent ${this.renderTogether(recent.map((hash) => ({ hash })))}</h2><ul>${recent.map((hash) => this.renderChoice({ hash, label: shortenHash(hash), description: "" }))}</ul>` : nothing}
      <aq-stored-addresses .route=${this.context.route} @forget=${() => this.requestUpdate()}></aq-stored-addresses>
      ${isSample ? nothing : html`<p class="empty"><button type="button" class="primary" @click=${focusSearch}>Search this chain</button> for a name, address, transaction, token or block.</p>`}
    </div>`;
  }

  /** A link that shows addresses as one account. */
  private renderTogether(choices: readonly { hash: string }[]): unknown {
    const { route } = this.context;
    const list = choices.map(({ hash }) => `${route.source || "sample"}:${hash}`).join();
    return choices.length < 2 ? nothing : html`<a href=${toHref(toAccounts(route, list))}>${choices.length} as one account</a>`;
  }

  private renderChoice({ hash, label, description }: Choice): TemplateResult {
    const href = toHref(toTab(toAddress(this.context.route, hash), ""));
    return html`<li><a class="card" href=${href}>${identicon(hash)}
      <span><b>${label}</b> ${description ? html`<span class="mono symbol">${shortenHash(hash)}</span><span class="none text">${description}</span>` : nothing}</span></a></li>`;
  }
}

const focusSearch = (): void => document.querySelector<HTMLInputElement>("input#address")?.focus();
