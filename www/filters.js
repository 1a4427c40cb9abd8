// The filter form of a list, built from its declaration. It reports values and knows nothing of requests.
import { el } from "./dom.js";

const makers = { several, one, text, addresses };

/** `change(filters)` gets all values whenever one was changed. Returns `show(list, values, source)`. */
export function makeFilters(form, change) {
  let shown = null;
  let controls = [];
  const report = () => {
    const entries = controls.map(({ name, read }) => [name, read()]);
    if (entries.some(([, value]) => value === null)) return; // an invalid text: its message is showing
    change(Object.fromEntries(entries.filter(([, value]) => value.length > 0)));
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    report();
  });

  return function show(list, values, source) {
    // The form of the list on display is kept, so that the focus stays on the control that was used.
    if (shown !== list) {
      shown = list;
      controls = list.filters.map((filter) => ({ name: filter.name, ...makers[filter.kind](filter, report) }));
      form.replaceChildren(...controls.map(({ node }) => node));
      form.hidden = controls.length === 0;
    }
    for (const { name, write } of controls) write(values[name], source);
  };
}

function several({ label, name, options }, report) {
  const boxes = options.map((option) => el("input", { type: "checkbox", name, value: option, change: report }));
  const chips = boxes.map((box) => el("label", { class: "chip" }, box, el("span", {}, box.value)));
  return {
    node: el("fieldset", { class: "field" }, el("legend", {}, label), el("div", { class: "chips" }, chips)),
    read: () => boxes.filter((box) => box.checked).map((box) => box.value),
    write: (chosen = []) => boxes.forEach((box) => (box.checked = chosen.includes(box.value))),
  };
}

function one({ label, name, options }, report) {
  const select = el(
    "select",
    { name, id: `filter-${name}`, change: report },
    options.map(([value, text]) => el("option", { value }, text)),
  );
  return {
    node: el("div", { class: "field" }, el("label", { for: select.id }, label), select),
    read: () => select.value,
    write: (value = "") => (select.value = value),
  };
}

function text({ label, name, hint, valid }, report) {
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
    change: report,
  });
  const say = (message) => {
    error.textContent = message;
    input.setAttribute("aria-invalid", String(message !== ""));
  };
  return {
    node: el("div", { class: "field grow" }, el("label", { for: id }, label), input, error),
    read: () => {
      const value = input.value.trim();
      const fits = value === "" || valid(value);
      say(fits ? "" : `Expected ${hint}.`);
      return fits ? value : null;
    },
    write: (value = "") => {
      input.value = value;
      say("");
    },
  };
}

/** Pasted text, sent by its button or Ctrl+Enter; on the sample data another button fills it in. */
function addresses({ label, name, hint, go, fill }, report) {
  const id = `filter-${name}`;
  const area = el("textarea", {
    id,
    name,
    class: "mono",
    rows: 4,
    placeholder: hint,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    change: report,
    keydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) report();
    },
  });
  const sample = el("button", { type: "button", click: () => ((area.value = fill.text()), report()) }, fill.label);
  return {
    node: el(
      "div",
      { class: "field grow pasted" },
      el("label", { for: id }, label),
      area,
      el("p", { class: "actions" }, el("button", { type: "submit", class: "primary" }, go), sample),
    ),
    read: () => area.value.trim(),
    write: (value = "", source = "") => {
      area.value = value;
      sample.hidden = source !== "";
    },
  };
}
