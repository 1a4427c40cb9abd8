// The header of an address. Each part is read on its own, so that one that fails leaves the others.
import type { AddressClient } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { Reading } from "../components/reading.js";
import { copyButton, text, badge, coins, integer } from "../table/cells.js";
import type { CellContext } from "../table/columns.js";

@customElement("aq-address-header")
export class AddressHeader extends PageElement {
  @property({ attribute: false }) client!: AddressClient;
  @property() address = "";
  @property({ attribute: false }) cells!: CellContext;

  private readonly info = new Reading(this, {
    args: () => [this.client, this.address] as const,
    task: ([client, address_hash], { signal }) => client.address({ address_hash }, { signal }),
  });

  private readonly counters = new Reading(this, {
    args: () => [this.client, this.address] as const,
    task: ([client, address_hash], { signal }) => client.addressCounters({ address_hash }, { signal }),
  });

  protected override render(): TemplateResult {
    return html`<section class="address-header" aria-label="Address summary">
      <h1 class="mono">${this.address}${copyButton(this.address, "address")}</h1>
      <div class="facts">
        <div class="fact">${this.info.show(
          (info) => html`
          ${info.name ? text(info.ens_domain_name ?? info.name, "name") : nothing}
          ${info.is_contract ? badge("Contract", "accent") : badge("Wallet")}
          ${info.is_verified ? badge("verified", "good") : nothing}`,
        )}</div>
        <div class="fact"><h2>Balance</h2>${this.info.show((info) => coins(info.coin_balance, this.cells))}</div>
        <div class="fact"><h2>Transactions</h2>${this.counters.show(({ transactions_count }) => integer(transactions_count))}</div>
        <div class="fact"><h2>Token transfers</h2>${this.counters.show(({ token_transfers_count }) => integer(token_transfers_count))}</div>
      </div>
    </section>`;
  }
}
