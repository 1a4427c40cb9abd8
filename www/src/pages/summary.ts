// What a transaction did, in a sentence from the service or one derived from its fields.
import type { JsonObject, Transaction, TransactionDescription } from "address-query";
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Names } from "../address/names.js";
import { PageElement } from "../components/element.js";
import { Reading } from "../components/reading.js";
import { skeleton } from "../components/skeleton.js";
import { addressName } from "../format/address-name.js";
import { formatDecimal } from "../format/number.js";
import { cleanText, isAddress } from "../format/text.js";
import { type Event, sentenceIcon, toSentence } from "../records/sentence.js";
import { isFailed } from "../records/transaction.js";
import * as cells from "../table/cells.js";
import type { CellContext, TabContext } from "../table/context.js";

const MAX_WORDS = 60;

@customElement("aq-transaction-summary")
export class TransactionSummaryElement extends PageElement {
  @property({ attribute: false }) transaction!: Transaction;
  @property({ attribute: false }) context!: TabContext;

  private readonly summary = new Reading(this, {
    args: () => [this.context.service.client, this.transaction.hash] as const,
    task: async ([client, transaction_hash], { signal }) => {
      const { data } = await client.transactionSummary({ transaction_hash }, { signal });
      return data?.summaries[0] ?? null;
    },
  });

  protected override render(): TemplateResult {
    const { transaction, context } = this;
    const own = () => ownSentence(transaction, context.cells);
    return html`<p class="transaction-summary">${this.summary.render({
      initial: () => skeleton(),
      pending: () => skeleton(),
      complete: (description) => (description?.summary_template ? fill(description, context.cells) : own()),
      // Many instances have no transaction interpreter.
      error: own,
    })}</p>`;
  }
}

/** The sentence from the service, with its placeholders filled in. Untrusted. */
function fill(description: TransactionDescription, context: CellContext): TemplateResult {
  const { summary_template: template, summary_template_variables: variables } = description;
  const parts = (template ?? "").split(/\{(\w+)\}/).slice(0, MAX_WORDS);
  return html`${sentenceIcon("call")}<span>${parts.map((part, index) =>
    index % 2 === 0 ? html`<bdi>${cleanText(part)}</bdi>` : variable(part, variables?.[part], context),
  )}</span>`;
}

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);
const toText = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

function variable(name: string, entry: unknown, context: CellContext): TemplateResult {
  if (!isObject(entry)) return html`<strong>${name === "native" ? context.coin.symbol : cleanText(name)}</strong>`;
  const { type, value } = entry;
  if (isObject(value)) {
    const hash = toText(value["address_hash"]) || toText(value["address"]) || toText(value["hash"]);
    const label = toText(value["symbol"]) || toText(value["name"]);
    if (!isAddress(hash)) return html`<bdi>${cleanText(label || "unknown", 80)}</bdi>`;
    if (type === "token") return cells.pageLink("token", hash, (label || hash).slice(0, 40), context, "");
    return html`${label ? html`<bdi>${cleanText(label, 80)}</bdi>` : ""} ${cells.addressLink(hash, context)}`;
  }
  if (type === "currency") return html`<strong class="number">${formatDecimal(toText(value))}</strong>`;
  if (type === "timestamp") return cells.time(toIso(Number(value)), context);
  return html`<strong><bdi>${cleanText(toText(value), 120)}</bdi></strong>`;
}

const toIso = (seconds: number): string | null => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
};

/** The sentence that the sender's history would show. */
function ownSentence(row: Transaction, context: CellContext): TemplateResult {
  const from = row.from.hash.toLowerCase();
  const to = (row.to ?? row.created_contract)?.hash.toLowerCase() ?? null;
  const coins = { hash: row.hash, time: 0, isIncoming: false, token: null, symbol: "", decimals: null };
  const event: Event = {
    hash: row.hash,
    time: 0,
    method: row.method ?? "",
    isFailed: isFailed(row),
    to,
    fee: null,
    movements: row.value === "0" || to === null ? [] : [{ ...coins, counterparty: to, amount: row.value }],
  };
  const names: Names = new Map(
    [row.from, row.to].flatMap((ref) => {
      const name = ref && addressName(ref);
      return name ? [[ref.hash.toLowerCase(), name]] : [];
    }),
  );
  const { look, words } = toSentence(event, names, context);
  return html`${sentenceIcon(look)}<span>${words}, by ${cells.addressLink(from, context)}</span>`;
}
