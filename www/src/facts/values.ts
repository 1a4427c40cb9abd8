// Values that several pages show.
import { fiatValue, type InputParameter } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { formatFiat } from "../format/number.js";
import * as cells from "../table/cells.js";
import type { CellContext } from "../table/context.js";

/** Returns a fact only if its value is not null, for facts that are rare. */
export const onlyIf = <Value>(
  value: Value | null | undefined,
  name: string,
  render: (value: Value) => unknown,
): readonly (readonly [string, unknown])[] => (value === null || value === undefined ? [] : [[name, render(value)]]);

/** A value with another one beside it. */
export const beside = (value: unknown, other: unknown): TemplateResult =>
  html`<span class="line">${value}${other === nothing ? nothing : html`<span class="none beside">${other}</span>`}</span>`;

/** An amount of the native coin, with its worth at `price`. */
export function worth(value: string | null, price: string | null, context: CellContext): TemplateResult {
  const dollars = fiatValue(value, { ...context.coin, exchange_rate: price });
  return beside(cells.coins(value, context), dollars === null ? nothing : formatFiat(dollars));
}

/** A part of a whole: 21,000 (70 %). */
export const share = (part: string | null, whole: string | null): TemplateResult =>
  beside(
    cells.integer(part),
    part === null || whole === null || Number(whole) === 0 ? nothing : `${((Number(part) / Number(whole)) * 100).toFixed(1)} %`,
  );

export const gwei = (value: string | null): TemplateResult => cells.amount(value, 9, "Gwei");

/** The parameters of a decoded call or error. */
export const parameterFacts = (parameters: readonly InputParameter[]) =>
  parameters.map(({ name, type, value }) => [`${name || "(no name)"}: ${type ?? "unknown type"}`, cells.json(value)] as const);

/** A time, as an age and as a date. */
export const bothTimes = (iso: string | null, context: CellContext): TemplateResult =>
  iso === null
    ? cells.none("Not yet")
    : beside(cells.time(iso, { ...context, times: "absolute" }), cells.time(iso, { ...context, times: "relative" }));
