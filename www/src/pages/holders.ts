// The holders of a token, with their balances in whole units, which require the decimals of the token.
import type { TokenHolder } from "address-query";
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { readShared } from "../address/shared-reading.js";
import { PageElement } from "../components/element.js";
import { Reading } from "../components/reading.js";
import { rowsSkeleton } from "../components/skeleton.js";
import type { ListReader } from "../lists/list-reader.js";
import { holdersOf } from "../records/token-holder.js";
import type { RecordKind } from "../table/columns.js";
import type { TabContext } from "../table/context.js";
import "../table/record-table.js";
import { readToken } from "./read-token.js";

@customElement("aq-token-holders")
export class TokenHolders extends PageElement {
  @property({ attribute: false }) reader!: ListReader<TokenHolder>;
  @property({ attribute: false }) rows: readonly TokenHolder[] = [];
  @property({ attribute: false }) context!: TabContext;

  private readonly kind = new Reading(this, {
    args: () => [this.context.service.client, this.context.route.id] as const,
    // The table re-renders its rows for another kind.
    task: async ([client, address_hash]) => holdersOf(await readShared(client, address_hash, readToken)),
  });

  protected override render(): unknown {
    return this.kind.show((kind) => this.renderTable(kind), rowsSkeleton);
  }

  private renderTable(kind: RecordKind<TokenHolder>): TemplateResult {
    const total = this.reader.status === "complete" ? this.rows.length : -1;
    return html`<aq-record-table .kind=${kind} .rows=${this.rows} .context=${this.context.cells} label="Holders" .total=${total}></aq-record-table>`;
  }
}
