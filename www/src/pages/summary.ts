// What a transaction did, in a sentence from the service or one derived from its fields.
import type { JsonObject, Transaction, TransactionDescription } from "address-query";
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { Reading } from "../components/reading.js";
import { skeleton } from "../components/skeleton.js";
import { addressName } from "../format/address-name.js";
import { formatDecimal } from "../format/number.js";
import { cleanText, isAddress } from "../format/text.js";
import { lookIcon, party } from "../records/activity.js";
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
  return html`${lookIcon("call")}<span>${parts.map((part, index) =>
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

/** A sentence from the fields of a transaction. */
function ownSentence(row: Transaction, context: CellContext): TemplateResult {
  const { method, value, from } = row;
  const to = row.to ?? row.created_contract;
  const contract = to ? party({ hash: to.hash.toLowerCase(), name: addressName(to) }, context) : "a new contract";
  const called = html`<strong>${cleanText(method ?? "a contract", 40)}</strong> at ${contract}`;
  const [look, words] = isFailed(row)
    ? (["failed", html`Failed: ${called}`] as const)
    : value === "0"
      ? (["call", html`Called ${called}`] as const)
      : ([
          "out",
          html`Sent <strong>${cells.brief(value, context.coin.decimals, context.coin.symbol)}</strong> to ${contract}`,
        ] as const);
  return html`${lookIcon(look)}<span>${words}, by ${cells.addressLink(from.hash.toLowerCase(), context)}</span>`;
}
