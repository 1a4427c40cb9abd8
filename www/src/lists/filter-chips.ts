// The filters of a list as chips, each of which opens its choices.
import { html, nothing, type TemplateResult } from "lit";
import { ChevronDown, X } from "lucide";
import { icon } from "../components/icon.js";
import "../components/menu.js";
import { cleanText, shortenHash } from "../format/text.js";
import type { Filter, FilterValues } from "./filters.js";

/** `onChange` gets all values when one has changed. */
export function filterChips(
  filters: readonly Filter[],
  values: FilterValues,
  onChange: (values: Record<string, string>) => void,
  chainId: number | null,
): TemplateResult | typeof nothing {
  if (filters.length === 0) return nothing;
  return html`<div class="filters" role="group" aria-label="Filters">${filters.map((filter) => {
    const value = values[filter.name] ?? "";
    const set = (next: string) => onChange({ ...values, [filter.name]: next.trim() });
    const name = value ? `${filter.label}: ${describe(filter, value)}` : filter.label;
    const clear = html`<button type="button" class="chip active clear" aria-label="Clear ${filter.label}" @click=${() => set("")}>${icon(X)}</button>`;
    return html`<span class="filter"><aq-menu .label=${name} look="chip ${value ? "active" : ""}" .content=${() => renderFields(filter, value, set, chainId)}
      .face=${html`<bdi>${cleanText(name, 40)}</bdi>${value ? nothing : icon(ChevronDown)}`}></aq-menu>${value ? clear : nothing}</span>`;
  })}</div>`;
}

/** The labels of the chosen options, or the text that was entered. */
function describe({ options = [], multiple }: Filter, value: string): string {
  const [first = "", ...others] = multiple ? value.split(",") : [value];
  const label = options.find(([option]) => option === first)?.[1] ?? shortenHash(first);
  return others.length > 0 ? `${label} + ${others.length}` : label;
}

/** The choices. Their code is loaded when a chip is first opened. */
function renderFields(filter: Filter, value: string, set: (value: string) => void, chainId: number | null): TemplateResult {
  void import("./filter-fields.js");
  return html`<aq-filter-fields .filter=${filter} .value=${value} .set=${set} .chainId=${chainId}></aq-filter-fields>`;
}
