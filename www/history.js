// The view of transactions and transfers: a look at the first ones, then the range reader with progress, stop and resume.
import { byId, el } from "./dom.js";
import { counted, groupDigits, visibleText } from "./format.js";
import { kindById } from "./kinds.js";
import { blocksLeft, progressNode } from "./progress.js";
import { Reading } from "./reading.js";
import { settle, showBusy, showCancelled, showEmpty, showError, showLoading, table } from "./results.js";

/** Rows on the page at once, however many are read. */
const ROWS_SHOWN = 200;
const LOOK = 25;

const button = (label, run, className = null) => el("button", { type: "button", class: className, click: run }, label);

/** Looks at both ends of the range: the rows to begin with, and from which block to which there is something. */
export async function openHistory(visit) {
  const { filters, address } = visit.state;
  const kind = kindById(filters.records ?? "");
  const order = filters.order ?? "desc";
  const range = { ...block("startblock", filters.first), ...block("endblock", filters.last) };
  const list = { ...visit.state.list, columns: kind.columns, label: kind.label };
  const action = visit.client.account[kind.action];
  const job = { visit, list, action, order, params: { address, ...range, sort: order } };

  const own = new AbortController();
  const signal = AbortSignal.any([visit.signal, own.signal]);
  showLoading(list, visit.keepRows, () => own.abort());
  try {
    const end = (sort, offset) => action({ address, ...range, sort, page: 1, offset }, { signal });
    const [near, far] = await Promise.all([end(order, LOOK), end(order === "asc" ? "desc" : "asc", 1)]);
    if (visit.signal.aborted) return;
    const blocks = [...near.items, ...far.items].map(({ blockNumber }) => Number(blockNumber));
    // What the service has not processed yet may be more.
    const notes = near.message ? [el("p", { class: "note" }, visibleText(near.message))] : [];
    if (blocks.length === 0) return showEmpty("No records", `${kind.label}: none in this range of blocks.`, notes);
    showLook({ ...job, ends: { first: Math.min(...blocks), last: Math.max(...blocks) } }, near, notes);
  } catch (error) {
    if (visit.signal.aborted) return;
    if (own.signal.aborted) showCancelled([["Retry", visit.reload]]);
    else showError(error, [["Retry", visit.reload]]);
  }
}

const block = (name, text) => (text === undefined ? {} : { [name]: Number(text) });

function showLook(job, { items: rows, incomplete }, notes) {
  const { list, ends, order, visit } = job;
  const isAll = rows.length < LOOK;
  const which = order === "asc" ? "oldest" : "newest";
  const span = `blocks ${groupDigits(ends.first)} to ${groupDigits(ends.last)}`;
  const text = isAll
    ? `${incomplete ? "All that the service has so far is" : "All of them are"} here: ${span}.`
    : `These are the ${which} ${LOOK}. There are more, in ${span}; the range reader gets every one, past the 10,000 ` +
      "that a request reaches.";
  settle(
    isAll ? counted(rows.length, "record") : `The ${which} ${LOOK}`,
    el("div", { class: "callout" }, el("p", {}, text), button("Read all", () => start(job), "primary")),
    ...notes,
    table(list, rows, visit.context),
  );
}

function start(job) {
  const reading = new Reading(job.action, job.params, ROWS_SHOWN);
  return run({ ...job, reading });
}

/** Reads until the end, a stop or a failure; called again after either, it goes on without losing or repeating rows. */
async function run(job) {
  const { visit, reading } = job;
  const own = new AbortController();
  const [head, note, body] = [el("div"), el("p", { class: "note" }), el("div")];
  let drawn = null;
  const draw = (state, actions) => {
    head.replaceChildren(progressNode(reading, job.ends, job.order, state, actions));
    const { newest, records } = reading;
    note.hidden = records === newest.length;
    const shown = `Shown: the newest ${groupDigits(newest.length)} of ${counted(records, "record")}.`;
    note.textContent = `${shown} The page keeps no more, so that it stays light.`;
    if (newest.length > 0 && newest !== drawn) body.replaceChildren(table(job.list, newest, visit.context));
    drawn = newest;
  };
  draw("reading");
  showBusy("Reading the range…", () => own.abort());
  byId("results").replaceChildren(head, note, body);
  byId("cancel").focus({ preventScroll: true }); // the button that started this is gone
  try {
    await reading.run(AbortSignal.any([visit.signal, own.signal]), async () => {
      if (visit.signal.aborted) return;
      draw("reading");
      await pause();
    });
    if (visit.signal.aborted) return;
    finish("done", `${counted(reading.records, "record")} read, in ${(reading.milliseconds / 1000).toFixed(1)} s`, [
      button("Read again", () => start(job)),
    ]);
  } catch (error) {
    if (visit.signal.aborted) return;
    const resume = () => run(job);
    if (!own.signal.aborted) return showError(error, [["Resume", resume], ["Start over", () => start(job)]]);
    const left = counted(blocksLeft(reading, job.ends, job.order), "block");
    finish("stopped", `Stopped after ${counted(reading.records, "record")}, ${left} left`, [
      button("Resume", resume, "primary"),
      button("Start over", () => start(job)),
    ]);
  }

  function finish(state, message, actions) {
    draw(state, actions);
    settle(message, head, note, body);
    actions[0].focus({ preventScroll: true });
  }
}

/** Lets the page breathe: what the visitor did meanwhile comes first. */
const pause = () => new Promise((done) => setTimeout(done));
