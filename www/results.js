// The panel's content in each of its states: loading, records, empty, error, cancelled, prompt; and the pager.
import { byId, el } from "./dom.js";
import { counted, visibleText } from "./format.js";

const panel = byId("panel");
const results = byId("results");
const status = byId("status");
const cancel = byId("cancel");
const pager = byId("pager");

/** Waits of fewer milliseconds are over before anybody has read of them. */
const TOLD_MS = 500;

let onCancel = () => {};
let work = ""; // what is under way; empty at rest
cancel.addEventListener("click", () => onCancel());

/** The panel at rest: what it holds, and in a line what that is. */
export function settle(message, ...content) {
  work = "";
  panel.setAttribute("aria-busy", "false");
  cancel.hidden = true;
  status.textContent = message;
  results.replaceChildren(...content);
}

/** Work under way that can be stopped. What the panel holds stays, `dimmed` where it is about to be replaced. */
export function showBusy(message, stop, dimmed = false) {
  onCancel = stop;
  work = message;
  panel.setAttribute("aria-busy", "true");
  panel.classList.toggle("dimmed", dimmed);
  cancel.hidden = false;
  status.textContent = message;
  pager.hidden = true;
}

/** Hears the client's events, and says why nothing comes for a while. */
export function showWait({ kind, ms, code }) {
  if (!work || (ms < TOLD_MS && kind !== "request")) return;
  const seconds = `about ${Math.ceil(ms / 1000)} s`;
  const why = {
    request: "",
    wait: ` The service asks for a pause of ${seconds}.`,
    retry: ` An attempt failed (${code}); the next one follows in ${seconds}.`,
  };
  if (kind in why) status.textContent = work + why[kind];
}

/** Rows of the same list stay, dimmed, until the next ones are here; otherwise a skeleton stands in. */
export function showLoading(list, keepRows, stop) {
  showBusy("Loading…", stop, true);
  if (keepRows && results.querySelector("table")) return;
  const bars = Array.from({ length: 8 }, () =>
    el(
      "div",
      { class: "skeleton-row" },
      list.columns.map(() => el("span")),
    ),
  );
  results.replaceChildren(el("div", { class: "skeleton", "aria-hidden": "true" }, bars));
}

export function showPage(list, page, context, { pageNumber, milliseconds, hasMore }) {
  const count = page.items.length;
  const note = list.note?.(page);
  const message = `${counted(count, "record")} on page ${pageNumber}, in ${Math.round(milliseconds)} ms`;
  const content = count > 0 ? table(list, page.items, context) : emptyNotice(list, context, hasMore, pageNumber);
  settle(
    count > 0 ? message : "No records",
    ...[note ? el("p", { class: "note" }, note) : null, content].filter(Boolean),
  );
}

function emptyNotice(list, context, hasMore, pageNumber) {
  const why = hasMore
    ? "Nothing on this page, but the list goes on."
    : pageNumber > 1
      ? "The list ends here."
      : context.filtered
        ? "Nothing fits these filters."
        : `${list.label}: nothing recorded here yet.`;
  return notice("No records", why);
}

const notice = (title, text, ...more) =>
  el("div", { class: "notice empty-state" }, el("h2", {}, title), el("p", {}, text), more);

export function showEmpty(title, text, notes = []) {
  settle(title, ...notes, notice(title, text));
}

// The roles repeat what the elements mean because narrow screens lay the table out as cards, and `display` drops them.
export function table(list, items, context) {
  const heads = list.columns.map(({ title, align }) =>
    el("th", { scope: "col", role: "columnheader", class: align }, title),
  );
  const rows = items.map((item) =>
    el(
      "tr",
      { role: "row" },
      list.columns.map(({ title, align, cell }) =>
        el("td", { role: "cell", class: align, "data-label": title }, cell(item, context)),
      ),
    ),
  );
  return el(
    "div",
    { class: "table-scroll", role: "region", tabindex: "0", "aria-label": list.label },
    el(
      "table",
      { role: "table", "data-list": list.id },
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads)),
      el("tbody", { role: "rowgroup" }, rows),
    ),
  );
}

/** `actions`: [label, run] pairs, the first being the obvious one. */
export function showError(error, actions) {
  const facts = [
    ["Code", error.code ?? error.name],
    ["Status", error.status],
    ["Path", error.path],
    ["Parameter", error.parameter],
    ["Attempts", error.attempts],
    ["Wait", error.retryAfterMs === undefined ? undefined : `${Math.ceil(error.retryAfterMs / 1000)} s`],
  ].filter(([, value]) => value !== undefined && value !== null);
  settle(
    "",
    el(
      "div",
      { class: "notice error-state", role: "alert" },
      el("h2", {}, "The records could not be read"),
      el("p", { class: "message" }, el("bdi", {}, visibleText(error.message ?? error, 600))),
      el(
        "dl",
        { class: "facts" },
        facts.map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, visibleText(value)))),
      ),
      buttons(actions),
    ),
  );
}

export function showCancelled(actions) {
  const choices = buttons(actions);
  settle("Cancelled", notice("Cancelled", "The request was stopped.", choices));
  choices.querySelector("button").focus(); // the Cancel button that had it is gone
}

export function showPrompt(title, message) {
  settle("", notice(title, message));
  pager.hidden = true;
}

function buttons(actions) {
  return el(
    "p",
    { class: "actions" },
    actions.map(([label, run], position) =>
      el("button", { type: "button", class: position === 0 ? "primary" : null, click: run }, label),
    ),
  );
}

/** `first`, `previous` and `next` are functions, or null where there is nowhere to go. */
export function showPager(pageNumber, { first, previous, next }) {
  const step = (label, name, run) =>
    el("button", { type: "button", "data-step": name, disabled: !run, click: run ?? (() => {}) }, label);
  pager.hidden = !first && !next;
  pager.replaceChildren(
    step("First", "first", first),
    step("Previous", "previous", previous),
    el("span", { class: "page-number", "aria-current": "page" }, `Page ${pageNumber}`),
    step("Next", "next", next),
  );
}
