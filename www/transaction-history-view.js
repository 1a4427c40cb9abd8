// Shows the transaction history of an address: a preview first, then all records, with progress, pause and resume.
import { el, getById } from "./dom.js";
import { formatCount, groupDigits, sanitizeText } from "./format.js";
import { createTable, showBusy, showCancelled, showContent, showEmpty, showError, showLoading } from "./panel.js";
import { countRemainingBlocks, createProgressSection } from "./range-progress.js";
import { RangeReader } from "./range-reader.js";
import { findRecordType } from "./record-types.js";

/** The page never shows more rows than this, however many records are read. */
const MAX_ROWS_SHOWN = 200;
const PREVIEW_ROWS = 25;

const createButton = (label, onClick, className = null) =>
  el("button", { type: "button", class: className, click: onClick }, label);

/** Loads both ends of the range: the first rows to show, and the blocks of the oldest and newest record. */
export async function openTransactionHistory(view) {
  const { filters, address } = view.state;
  const recordType = findRecordType(filters.type ?? "");
  const order = filters.order ?? "desc";
  const oppositeOrder = order === "asc" ? "desc" : "asc";
  const range = {
    ...toBlockParameter("startblock", filters["from-block"]),
    ...toBlockParameter("endblock", filters["to-block"]),
  };
  const tab = { ...view.state.tab, columns: recordType.columns, label: recordType.label };
  const method = view.client.account[recordType.clientMethod];

  const cancellation = new AbortController();
  const signal = AbortSignal.any([view.signal, cancellation.signal]);
  showLoading(tab, view.keepRows, () => cancellation.abort());
  try {
    // `offset` is the service's name for the page size.
    const loadFirst = (sort, offset) => method({ address, ...range, sort, page: 1, offset }, { signal });
    const [preview, farEnd] = await Promise.all([loadFirst(order, PREVIEW_ROWS), loadFirst(oppositeOrder, 1)]);
    if (view.signal.aborted) return;
    const blocks = [...preview.items, ...farEnd.items].map(({ blockNumber }) => Number(blockNumber));
    // The message says that the service has not processed all blocks yet, so there may be more records.
    const notes = preview.message ? [el("p", { class: "note" }, sanitizeText(preview.message))] : [];
    const emptyText = `${recordType.label}: no records in this block range.`;
    if (blocks.length === 0) return showEmpty("No records", emptyText, notes);
    const bounds = { first: Math.min(...blocks), last: Math.max(...blocks) };
    const params = { address, ...range, sort: order };
    showPreview({ view, tab, method, params, order, bounds }, preview, notes);
  } catch (error) {
    if (view.signal.aborted) return;
    if (cancellation.signal.aborted) showCancelled([["Retry", view.reload]]);
    else showError(error, [["Retry", view.reload]]);
  }
}

const toBlockParameter = (name, value) => (value === undefined ? {} : { [name]: Number(value) });

/** `query` describes the history to load: { view, tab, method, params, order, bounds }. */
function showPreview(query, { items, incomplete }, notes) {
  const { tab, bounds, order, view } = query;
  const hasAll = items.length < PREVIEW_ROWS;
  const end = order === "asc" ? "oldest" : "newest";
  const blocks = `blocks ${groupDigits(bounds.first)} to ${groupDigits(bounds.last)}`;
  const completeText = `These are all records${incomplete ? " the service has so far" : ""}, from ${blocks}.`;
  const partialText =
    `There are more records in ${blocks}. "Load all" reads every one of them, ` +
    "beyond the limit of 10,000 records per request.";
  showContent(
    hasAll ? `Showing ${formatCount(items.length, "record")}` : `Showing the ${end} ${PREVIEW_ROWS} records`,
    el(
      "div",
      { class: "callout" },
      el("p", {}, hasAll ? completeText : partialText),
      createButton("Load all", () => startReading(query), "primary"),
    ),
    ...notes,
    createTable(tab, items, view.context),
  );
}

function startReading(query) {
  return continueReading(query, new RangeReader(query.method, query.params, MAX_ROWS_SHOWN));
}

/** Reads until the end, a pause or an error. After a pause or an error, call it again to resume. */
async function continueReading(query, reader) {
  const { view, tab, bounds, order } = query;
  const cancellation = new AbortController();
  const [progress, note, tableContainer] = [el("div"), el("p", { class: "note" }), el("div")];
  let renderedRows = null;
  const render = (status, buttons) => {
    progress.replaceChildren(createProgressSection(reader, bounds, order, status, buttons));
    const { newestRows, recordCount } = reader;
    note.hidden = recordCount === newestRows.length;
    note.textContent = `Showing the newest ${groupDigits(newestRows.length)} of ${formatCount(recordCount, "record")}.`;
    if (newestRows.length > 0 && newestRows !== renderedRows) {
      tableContainer.replaceChildren(createTable(tab, newestRows, view.context));
    }
    renderedRows = newestRows;
  };
  const finish = (status, message, buttons) => {
    render(status, buttons);
    showContent(message, progress, note, tableContainer);
    buttons[0].focus({ preventScroll: true });
  };

  render("loading");
  showBusy("Loading all records…", () => cancellation.abort());
  getById("results").replaceChildren(progress, note, tableContainer);
  getById("cancel").focus({ preventScroll: true }); // the button that started this is gone
  const restart = () => startReading(query);
  try {
    await reader.run(AbortSignal.any([view.signal, cancellation.signal]), async () => {
      if (view.signal.aborted) return;
      render("loading");
      await yieldToBrowser();
    });
    if (view.signal.aborted) return;
    const seconds = (reader.elapsedMs / 1000).toFixed(1);
    finish("done", `Loaded ${formatCount(reader.recordCount, "record")} in ${seconds} s`, [createButton("Load again", restart)]);
  } catch (error) {
    if (view.signal.aborted) return;
    const resume = () => continueReading(query, reader);
    if (!cancellation.signal.aborted)
      return showError(error, [
        ["Resume", resume],
        ["Start over", restart],
      ]);
    const remaining = formatCount(countRemainingBlocks(reader, bounds, order), "block");
    finish("paused", `Paused after ${formatCount(reader.recordCount, "record")}, ${remaining} left`, [
      createButton("Resume", resume, "primary"),
      createButton("Start over", restart),
    ]);
  }
}

/** Lets the browser handle pending input before the next window is read. */
const yieldToBrowser = () => new Promise((resolve) => setTimeout(resolve));
