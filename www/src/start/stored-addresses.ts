// The addresses whose histories are stored, and buttons that forget them.
import type { StoredAccount } from "address-query/store";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { identicon } from "../address/identicon.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { formatBytes } from "../format/bytes.js";
import { toChecksumAddress } from "../format/checksum.js";
import { formatCount } from "../format/number.js";
import { cleanText, shortenHash } from "../format/text.js";
import { formatAsOf } from "../format/time.js";
import { type Route, toAddress, toHref, toTab } from "../route/route.js";
import { openService } from "../service/service.js";
import { toSource } from "../service/source.js";
import { openStore } from "../service/store.js";
import { removeRecent } from "./recent-addresses.js";

@customElement("aq-stored-addresses")
export class StoredAddresses extends PageElement {
  @property({ attribute: false }) route!: Route;
  @state() private accounts: readonly StoredAccount[] = [];
  @state() private error: unknown = null;

  protected override firstUpdated(): void {
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      this.accounts = await (await openStore()).store.accounts();
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  }

  private async forget(accounts: readonly StoredAccount[]): Promise<void> {
    try {
      const { store } = await openStore();
      for (const account of accounts) {
        await store.forget(account.account, account);
        removeRecent(account.account);
      }
      await this.load();
    } catch (error) {
      this.error = error;
    }
    this.dispatchEvent(new Event("forget"));
  }

  protected override render(): TemplateResult {
    const { accounts, error } = this;
    const problem = error ? errorBox(error, () => void this.load()) : nothing;
    if (accounts.length === 0) return html`${problem}`;
    const bytes = accounts.reduce((sum, account) => sum + account.bytes, 0);
    return html`<h2>Stored on this device: ${formatBytes(bytes)}
        <button type="button" class="link" @click=${() => this.forget(accounts)}>Forget all</button></h2>
      ${problem}
      <ul>${accounts.map((account) => this.renderAccount(account))}</ul>`;
  }

  private renderAccount(account: StoredAccount): TemplateResult {
    const { account: hash, source, events, bytes, read_at } = account;
    const service = openService(toSource(source));
    const name = shortenHash(toChecksumAddress(hash, service.chainId));
    const href = toHref(toTab({ ...toAddress(this.route, hash), source: service.source }, ""));
    const size = `${formatCount(events, "event")}, ${formatBytes(bytes)}`;
    return html`<li class="stored"><a class="card" href=${href}>${identicon(hash)}
        <span><b>${name}</b><bdi class="none text">${cleanText(service.label, 40)}</bdi>
          <span class="none text">${size}</span><span class="none text">${read_at ? formatAsOf(read_at) : nothing}</span></span></a>
      <button type="button" class="link" aria-label="Forget ${name}" @click=${() => this.forget([account])}>Forget</button></li>`;
  }
}
