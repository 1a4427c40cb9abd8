// The choices of a filter, or the field for its text.
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import { describeChecksumError } from "../format/checksum.js";
import type { Filter } from "./filters.js";

@customElement("aq-filter-fields")
export class FilterFields extends PageElement {
  @property({ attribute: false }) filter!: Filter;
  @property() value = "";
  /** The chain whose checksums addresses have. Null: not known. */
  @property({ attribute: false }) chainId: number | null = null;
  /** Applies another value. */
  @property({ attribute: false }) set!: (value: string) => void;

  protected override render(): TemplateResult {
    return this.filter.options ? this.renderChoices(this.filter) : this.renderInput(this.filter);
  }

  /** Checkboxes, or radio buttons for a single choice. */
  private renderChoices({ name, label, options = [], multiple }: Filter): TemplateResult {
    const { value, set } = this;
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

  private renderInput({ name, label, hint, isValid }: Filter): TemplateResult {
    const { value, set } = this;
    const apply = ({ target }: Event) => {
      const field = target as HTMLInputElement;
      const entered = field.value.trim();
      const isExpected = entered === "" || !isValid || isValid(entered);
      const problem = isExpected ? describeChecksumError(entered, this.chainId) : `Enter ${hint}.`;
      const isAccepted = problem === "";
      field.setAttribute("aria-invalid", String(!isAccepted));
      const error = field.nextElementSibling;
      if (error) error.textContent = problem;
      if (isAccepted) set(entered);
    };
    return html`<div class="field">
      <label for="filter-${name}">${label}</label>
      <input id="filter-${name}" type="text" class="mono" autocomplete="off" spellcheck="false" size="28"
        placeholder=${hint ?? ""} aria-describedby="filter-${name}-error" .value=${value} @change=${apply} />
      <p class="field-error" id="filter-${name}-error" role="alert"></p>
    </div>`;
  }
}
