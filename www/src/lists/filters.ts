// The filters of lists: declared once per list, chosen in the menus of chips, kept in the URL.
import { html, nothing, type TemplateResult } from "lit";
import { ChevronDown, X } from "lucide";
import { icon } from "../components/icon.js";
import "../components/menu.js";
import { cleanText, shortenHash } from "../format/text.js";

export interface Filter {
  /** Name of the parameter of the client's method, and of the URL. */
  name: string;
  label: string;
  /** Values to choose from, with their labels. Without them, the user enters text. */
  options?: readonly (readonly [value: string, label: string])[];
  /** Whether several values can be chosen. */
  multiple?: boolean;
  /** What to enter, for text. */
  hint?: string;
  /** Whether the input is what `hint` says. Other input is not applied. */
  isValid?: (value: string) => boolean;
  /** Converts the value to parameters. Default: the value under the filter's name; an array with `multiple`. */
  toParameters?: (value: string) => Record<string, unknown>;
}

export const TOKEN_TYPES = ["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984"] as const;
export const NFT_TYPES = ["ERC-721", "ERC-1155", "ERC-404"] as const;

export const tokenTypeFilter = (types: readonly string[]): Filter => ({
  name: "type",
  label: "Token type",
  multiple: true,
  options: types.map((type) => [type, type] as const),
});

export const directionFilter: Filter = {
  name: "filter",
  label: "Direction",
  options: [
    ["", "All"],
    ["from", "Outgoing"],
    ["to", "Incoming"],
  ],
};

type Values = Readonly<Record<string, string>>;

/** Converts the values of the URL to parameters of the client's method, which checks them. */
export function toParameters(filters: readonly Filter[], values: Values): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const { name, multiple, toParameters } of filters) {
    const value = values[name];
    if (value) Object.assign(parameters, toParameters?.(value) ?? { [name]: multiple ? value.split(",") : value });
  }
  return parameters;
}

/** The filters of a list as chips, each of which opens its choices. `onChange` gets all values when one has changed. */
export function filterChips(
  filters: readonly Filter[],
  values: Values,
  onChange: (values: Record<string, string>) => void,
): TemplateResult | typeof nothing {
  if (filters.length === 0) return nothing;
  return html`<div class="filters" role="group" aria-label="Filters">${filters.map((filter) => {
    const value = values[filter.name] ?? "";
    const set = (next: string) => onChange({ ...values, [filter.name]: next.trim() });
    const name = value ? `${filter.label}: ${describe(filter, value)}` : filter.label;
    const clear = html`<button type="button" class="chip active clear" aria-label="Clear ${filter.label}" @click=${() => set("")}>${icon(X)}</button>`;
    return html`<span class="filter"><aq-menu .label=${name} look="chip ${value ? "active" : ""}" .content=${() => fields(filter, value, set)}
      .face=${html`<bdi>${cleanText(name, 40)}</bdi>${value ? nothing : icon(ChevronDown)}`}></aq-menu>${value ? clear : nothing}</span>`;
  })}</div>`;
}

/** The labels of the chosen options, or the text that was entered. */
function describe({ options = [], multiple }: Filter, value: string): string {
  const [first = "", ...others] = multiple ? value.split(",") : [value];
  const label = options.find(([option]) => option === first)?.[1] ?? shortenHash(first);
  return others.length > 0 ? `${label} + ${others.length}` : label;
}

type Set = (value: string) => void;

function fields(filter: Filter, value: string, set: Set): TemplateResult {
  return filter.options ? choices(filter, value, set) : input(filter, value, set);
}

/** Checkboxes, or radio buttons for a single choice. */
function choices({ name, label, options = [], multiple }: Filter, value: string, set: Set): TemplateResult {
  const chosen = multiple ? value.split(",").filter(Boolean) : [value];
  const toggle = (option: string, isChosen: boolean) =>
    options
      .map(([item]) => item)
      .filter((item) => (item === option ? isChosen : chosen.includes(item)))
      .join(",");
  return html`<fieldset class="options"><legend>${label}</legend>${options.map(
    ([option, text]) => html`<label><input type=${multiple ? "checkbox" : "radio"} name="filter-${name}" value=${option}
      .checked=${chosen.includes(option)}
      @change=${({ target }: Event) => set(multiple ? toggle(option, (target as HTMLInputElement).checked) : option)} />${text}</label>`,
  )}</fieldset>`;
}

function input({ name, label, hint, isValid }: Filter, value: string, set: Set): TemplateResult {
  const apply = ({ target }: Event) => {
    const field = target as HTMLInputElement;
    const entered = field.value.trim();
    const isAccepted = entered === "" || !isValid || isValid(entered);
    field.setAttribute("aria-invalid", String(!isAccepted));
    const error = field.nextElementSibling;
    if (error) error.textContent = isAccepted ? "" : `Enter ${hint}.`;
    if (isAccepted) set(entered);
  };
  return html`<div class="field">
    <label for="filter-${name}">${label}</label>
    <input id="filter-${name}" type="text" class="mono" autocomplete="off" spellcheck="false" size="28"
      placeholder=${hint ?? ""} aria-describedby="filter-${name}-error" .value=${value} @change=${apply} />
    <p class="field-error" id="filter-${name}-error" role="alert"></p>
  </div>`;
}
