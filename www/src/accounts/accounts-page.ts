// The page of several accounts: their value together, what each contributes, a form that adds another one, and the tabs.
import type { AddressClient } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { identicon } from "../address/identicon.js";
import { readShared } from "../address/shared-reading.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { Reading } from "../components/reading.js";
import { formatCount, formatFiat } from "../format/number.js";
import { cleanText, shortenHash } from "../format/text.js";
import { toAccounts, toHref } from "../route/route.js";
import { badge } from "../table/cells.js";
import { elementTab, type Tab } from "../tabs/tab.js";
import type { TabContext } from "../table/context.js";
import { type Account, formatAccounts, parseAccounts, readPortfolio, toCells } from "./accounts.js";
import "./accounts.css";

const tabs: readonly Tab[] = [
  elementTab("portfolio", "Portfolio", () => import("./portfolio-tab.js")),
  elementTab("history", "History", () => import("../history/history-tab.js")),
];

@customElement("aq-accounts")
export class AccountsPage extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  @state() private error = "";

  private readonly portfolio = new Reading(this, {
    args: () => [this.context.service.client, this.context.route.accounts] as const,
    task: ([client, list]: readonly [AddressClient, string]) => readShared(client, list, readPortfolio),
  });

  protected override render(): TemplateResult {
    const { route } = this.context;
    let accounts: Account[] = [];
    try {
      accounts = parseAccounts(route.accounts);
    } catch (error) {
      return errorBox(error);
    }
    const chains = new Set(accounts.map(({ service }) => service.source)).size;
    const value = this.portfolio.show(
      (all) => html`<strong class="number">${formatFiat(all.value)}</strong>
        <span class="worth-parts">${all.complete ? `${formatCount(all.holdings.length, "asset")}${all.unpriced > 0 ? `, ${all.unpriced} without a price` : ""}` : "at least: some accounts are incomplete"}</span>`,
    );
    return html`<section class="address-header" aria-label="Accounts">
        <div class="identity-lines"><h1>${formatCount(accounts.length, "address")} on ${formatCount(chains, "chain")}</h1></div>
        <div class="worth">${value}</div>
      </section>
      <ul class="accounts" aria-label="Addresses">${accounts.map((account) => this.renderAccount(account, accounts))}
        <li><form @submit=${this.add}><input type="text" autocomplete="off" spellcheck="false" aria-label="Add an address" aria-describedby="accounts-error" placeholder="0x… or chain:0x…" /><button>Add</button></form></li>
      </ul>
      <p id="accounts-error" class="field-error" role="alert">${this.error}</p>
      <aq-tab-bar .tabs=${tabs} .context=${this.context}></aq-tab-bar>`;
  }

  private renderAccount(account: Account, all: readonly Account[]): TemplateResult {
    const { route, cells } = this.context;
    const { address_hash, service } = account;
    const found = this.portfolio.current?.accounts[all.indexOf(account)];
    const rest = formatAccounts(all.filter((other) => other !== account));
    return html`<li>${identicon(address_hash)}
      <a class="mono" data-address=${address_hash.toLowerCase()} href=${toHref(toCells(cells, account).route)}>${shortenHash(address_hash)}</a>
      ${badge(service.label)}
      ${found ? html`<span class="number">${formatFiat(found.value)}</span>` : nothing}
      ${found && found.state !== "complete" ? html`<span title=${cleanText(found.reasons.join(" "))}>${badge(found.state, "warn")}</span>` : nothing}
      ${all.length > 1 ? html`<a class="remove" aria-label="Remove ${shortenHash(address_hash)}" href=${toHref(toAccounts(route, rest))}>×</a>` : nothing}</li>`;
  }

  private add(event: Event): void {
    event.preventDefault();
    const { route, navigate } = this.context;
    const input = this.querySelector("input") as HTMLInputElement;
    try {
      const added = parseAccounts(input.value, route.source);
      this.error = "";
      input.value = "";
      navigate(toAccounts(route, formatAccounts(parseAccounts(`${route.accounts},${formatAccounts(added)}`))));
    } catch (error) {
      this.error = (error as Error).message;
    }
  }
}
