// Shows the panel in each of its states (loading, records, empty, error, cancelled), and the pagination.
import { el, getById } from "./dom.js";
import { formatCount, sanitizeText } from "./format.js";

const panel = getById("panel");
const results = getById("results");
const status = getById("status");
const cancelButton = getById("cancel");
const pagination = getById("pagination");

/** Shorter waits are over before a user could read about them. */
const MIN_REPORTED_WAIT_MS = 500;
const SKELETON_ROWS = 8;

let cancelOperation = () => {};
let busyMessage = ""; // empty while nothing is loading
cancelButton.addEventListener("click", () => cancelOperation());

/** Ends the busy state, and replaces the status line and the content. */
export function showContent(message, ...content) {
  busyMessage = "";
  panel.setAttribute("aria-busy", "false");
  cancelButton.hidden = true;
  status.textContent = message;
  results.replaceChildren(...content);
}

/** Starts the busy state. The content stays, dimmed if it is about to be replaced. */
export function showBusy(message, onCancel, isDimmed = false) {
  cancelOperation = onCancel;
  busyMessage = message;
  panel.setAttribute("aria-busy", "true");
  panel.classList.toggle("dimmed", isDimmed);
  cancelButton.hidden = false;
  status.textContent = message;
  pagination.hidden = true;
}

/** The client's `onEvent` callback: adds to the busy message why loading takes longer. */
export function showClientEvent({ kind, ms, code }) {
  if (!busyMessage || (ms < MIN_REPORTED_WAIT_MS && kind !== "request")) return;
  const seconds = Math.ceil(ms / 1000);
  const reasons = {
    request: "",
    wait: ` Rate limited: waiting about ${seconds} s.`,
    retry: ` Request failed (${code}). Retrying in about ${seconds} s.`,
  };
  if (kind in reasons) status.textContent = busyMessage + reasons[kind];
}

/** Keeps the rows of the same tab, dimmed, while the next ones load. Otherwise shows a skeleton. */
export function showLoading(tab, keepRows, onCancel) {
  showBusy("Loading…", onCancel, true);
  if (keepRows && results.querySelector("table")) return;
  const createRow = () =>
    el(
      "div",
      { class: "skeleton-row" },
      tab.columns.map(() => el("span")),
    );
  const rows = Array.from({ length: SKELETON_ROWS }, createRow);
  results.replaceChildren(el("div", { class: "skeleton", "aria-hidden": "true" }, rows));
}

export function showPage(tab, page, context, pageNumber) {
  const count = page.items.length;
  const noteText = tab.getNote?.(page);
  const note = noteText ? [el("p", { class: "note" }, noteText)] : [];
  if (count > 0) {
    showContent(`Showing ${formatCount(count, "record")}`, ...note, createTable(tab, page.items, context));
  } else {
    showEmpty("No records", explainEmptyPage(tab, page, context, pageNumber), note);
  }
}

function explainEmptyPage(tab, page, context, pageNumber) {
  if (page.resumeToken !== null) return "This page is empty, but there are more pages.";
  if (pageNumber > 1) return "There are no more records.";
  return context.hasFilters ? "No records match these filters." : `${tab.label}: no records found.`;
}

const createNotice = (title, text, ...more) =>
  el("div", { class: "notice empty-state" }, el("h2", {}, title), el("p", {}, text), more);

export function showEmpty(title, text, notes = []) {
  showContent(title, ...notes, createNotice(title, text));
}

/** On narrow screens, CSS shows rows as cards. This removes the table semantics; the roles restore them. */
export function createTable(tab, items, context) {
  const headers = tab.columns.map(({ title, align }) =>
    el("th", { scope: "col", role: "columnheader", class: align && `align-${align}` }, title),
  );
  const createCell = (item, { title, align, render }) =>
    el("td", { role: "cell", class: align && `align-${align}`, "data-label": title }, render(item, context));
  const createRow = (item) =>
    el(
      "tr",
      { role: "row" },
      tab.columns.map((column) => createCell(item, column)),
    );
  return el(
    "div",
    { class: "table-scroll", role: "region", tabindex: "0", "aria-label": tab.label },
    el(
      "table",
      { role: "table", "data-tab": tab.id },
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, headers)),
      el("tbody", { role: "rowgroup" }, items.map(createRow)),
    ),
  );
}

/** `actions` are [label, onClick] pairs; the first becomes the primary button. */
export function showError(error, actions) {
  const details = [
    ["Code", error.code ?? error.name],
    ["HTTP status", error.status],
    ["JSON path", error.path],
    ["Parameter", error.parameter],
    ["Attempts", error.attempts],
    ["Retry after", error.retryAfterMs === undefined ? undefined : `${Math.ceil(error.retryAfterMs / 1000)} s`],
  ].filter(([, value]) => value !== undefined && value !== null);
  const createDetail = ([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, sanitizeText(value)));
  showContent(
    "",
    el(
      "div",
      { class: "notice error-state", role: "alert" },
      el("h2", {}, "Could not load the records"),
      el("p", { class: "message" }, el("bdi", {}, sanitizeText(error.message ?? error, 600))),
      el("dl", { class: "error-details" }, details.map(createDetail)),
      createActions(actions),
    ),
  );
}

export function showCancelled(actions) {
  const actionButtons = createActions(actions);
  showContent("Cancelled", createNotice("Cancelled", "The request was cancelled.", actionButtons));
  actionButtons.querySelector("button").focus(); // the Cancel button, which had the focus, is hidden now
}

export function showPrompt(title, message) {
  showContent("", createNotice(title, message));
  pagination.hidden = true;
}

function createActions(actions) {
  const buttons = actions.map(([label, onClick], index) =>
    el("button", { type: "button", class: index === 0 ? "primary" : null, click: onClick }, label),
  );
  return el("p", { class: "actions" }, buttons);
}

/** `goToFirst`, `goToPrevious` and `goToNext` are functions, or null where the button is to be disabled. */
export function showPagination(pageNumber, { goToFirst, goToPrevious, goToNext }) {
  const createButton = (label, onClick) => el("button", { type: "button", disabled: !onClick, click: onClick }, label);
  pagination.hidden = !goToFirst && !goToNext;
  pagination.replaceChildren(
    createButton("First", goToFirst),
    createButton("Previous", goToPrevious),
    el("span", { class: "page-number", "aria-current": "page" }, `Page ${pageNumber}`),
    createButton("Next", goToNext),
  );
}
