// The filters of lists: declared once per list, entered in a form, kept in the URL.
import { html, nothing, type TemplateResult } from "lit";

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

/** The form of a list's filters. `onChange` gets all values when one has changed. */
export function filterForm(
  filters: readonly Filter[],
  values: Values,
  onChange: (values: Record<string, string>) => void,
): TemplateResult | typeof nothing {
  if (filters.length === 0) return nothing;
  const set = (name: string, value: string) => onChange({ ...values, [name]: value.trim() });
  return html`<form class="filters" aria-label="Filters" @submit=${(event: Event) => event.preventDefault()}>
    ${filters.map((filter) => (filter.multiple ? checkboxes(filter, values, set) : filter.options ? select(filter, values, set) : input(filter, values, set)))}
  </form>`;
}

type Set = (name: string, value: string) => void;

function checkboxes({ name, label, options = [] }: Filter, values: Values, set: Set): TemplateResult {
  const chosen = (values[name] ?? "").split(",").filter(Boolean);
  const toggle = (value: string, isChosen: boolean) =>
    set(
      name,
      options
        .map(([option]) => option)
        .filter((option) => (option === value ? isChosen : chosen.includes(option)))
        .join(","),
    );
  return html`<fieldset class="field">
    <legend>${label}</legend>
    <div class="chips">${options.map(
      ([value, text]) => html`<label class="chip">
        <input type="checkbox" name=${name} value=${value} .checked=${chosen.includes(value)}
          @change=${(event: Event) => toggle(value, (event.target as HTMLInputElement).checked)} /><span>${text}</span></label>`,
    )}</div>
  </fieldset>`;
}

const select = ({ name, label, options = [] }: Filter, values: Values, set: Set): TemplateResult => html`<div class="field">
  <label for="filter-${name}">${label}</label>
  <select id="filter-${name}" name=${name} @change=${(event: Event) => set(name, (event.target as HTMLSelectElement).value)}>
    ${options.map(([value, text]) => html`<option value=${value} ?selected=${(values[name] ?? "") === value}>${text}</option>`)}
  </select>
</div>`;

function input({ name, label, hint, isValid }: Filter, values: Values, set: Set): TemplateResult {
  const apply = ({ target }: Event) => {
    const field = target as HTMLInputElement;
    const value = field.value.trim();
    const isAccepted = value === "" || !isValid || isValid(value);
    field.setAttribute("aria-invalid", String(!isAccepted));
    const error = field.nextElementSibling;
    if (error) error.textContent = isAccepted ? "" : `Enter ${hint}.`;
    if (isAccepted) set(name, value);
  };
  return html`<div class="field grow">
    <label for="filter-${name}">${label}</label>
    <input
      id="filter-${name}"
      name=${name}
      type="text"
      class="mono"
      autocomplete="off"
      spellcheck="false"
      placeholder=${hint ?? ""}
      aria-describedby="filter-${name}-error"
      .value=${values[name] ?? ""}
      @change=${apply}
    />
    <p class="field-error" id="filter-${name}-error" role="alert"></p>
  </div>`;
}
