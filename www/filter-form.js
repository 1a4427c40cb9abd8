// Builds the filter form of a tab from its declaration, and reports changed values. It sends no requests.
import { el } from "./dom.js";

const controlFactories = {
  checkboxes: createCheckboxes,
  select: createSelect,
  text: createTextInput,
  "address-list": createAddressListInput,
};

/**
 * `onChange(filters)` is called with all values when one of them changes.
 * Returns `showFilters(tab, values, source)`, which shows the form of a tab with these values.
 */
export function createFilterForm(form, onChange) {
  let currentTab = null;
  let controls = [];
  const submit = () => {
    const entries = controls.map(({ name, getValue }) => [name, getValue()]);
    if (entries.some(([, value]) => value === null)) return; // invalid: the control shows its message
    onChange(Object.fromEntries(entries.filter(([, value]) => value.length > 0)));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });

  return function showFilters(tab, values, source) {
    // The form of the same tab is reused, so that the control the user changed keeps the focus.
    if (currentTab !== tab) {
      currentTab = tab;
      controls = tab.filters.map((filter) => ({ name: filter.name, ...controlFactories[filter.kind](filter, submit) }));
      form.replaceChildren(...controls.map(({ node }) => node));
      form.hidden = controls.length === 0;
    }
    for (const { name, setValue } of controls) setValue(values[name], source);
  };
}

function createCheckboxes({ label, name, options }, submit) {
  const boxes = options.map((option) => el("input", { type: "checkbox", name, value: option, change: submit }));
  const chips = boxes.map((box) => el("label", { class: "chip" }, box, el("span", {}, box.value)));
  return {
    node: el("fieldset", { class: "field" }, el("legend", {}, label), el("div", { class: "chips" }, chips)),
    getValue: () => boxes.filter((box) => box.checked).map((box) => box.value),
    setValue: (selected = []) => {
      for (const box of boxes) box.checked = selected.includes(box.value);
    },
  };
}

function createSelect({ label, name, options }, submit) {
  const select = el(
    "select",
    { name, id: `filter-${name}`, change: submit },
    options.map(([value, text]) => el("option", { value }, text)),
  );
  return {
    node: el("div", { class: "field" }, el("label", { for: select.id }, label), select),
    getValue: () => select.value,
    setValue: (value = "") => (select.value = value),
  };
}

function createTextInput({ label, name, hint, isValid }, submit) {
  const id = `filter-${name}`;
  const error = el("p", { class: "field-error", id: `${id}-error`, role: "alert" });
  const input = el("input", {
    type: "text",
    class: "mono",
    id,
    name,
    placeholder: hint,
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": error.id,
    change: submit,
  });
  const showError = (message) => {
    error.textContent = message;
    input.setAttribute("aria-invalid", String(message !== ""));
  };
  return {
    node: el("div", { class: "field grow" }, el("label", { for: id }, label), input, error),
    getValue: () => {
      const value = input.value.trim();
      const isAccepted = value === "" || isValid(value);
      showError(isAccepted ? "" : `Enter ${hint}.`);
      return isAccepted ? value : null;
    },
    setValue: (value = "") => {
      input.value = value;
      showError("");
    },
  };
}

/** A multi-line input with a submit button. Ctrl+Enter submits too. A second button fills in sample addresses on sample data. */
function createAddressListInput({ label, name, hint, submitLabel, sampleLabel, getSample }, submit) {
  const id = `filter-${name}`;
  const textarea = el("textarea", {
    id,
    name,
    class: "mono",
    rows: 4,
    placeholder: hint,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    change: submit,
    keydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
    },
  });
  const fillSample = () => {
    textarea.value = getSample();
    submit();
  };
  const sampleButton = el("button", { type: "button", click: fillSample }, sampleLabel);
  return {
    node: el(
      "div",
      { class: "field grow address-list-field" },
      el("label", { for: id }, label),
      textarea,
      el("p", { class: "actions" }, el("button", { type: "submit", class: "primary" }, submitLabel), sampleButton),
    ),
    getValue: () => textarea.value.trim(),
    setValue: (value = "", source = "") => {
      textarea.value = value;
      sampleButton.hidden = source !== "";
    },
  };
}
