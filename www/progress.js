// Draws how far a reading has come, and at its end how completely the range was read.
import { el } from "./dom.js";
import { counted, groupDigits, visibleText } from "./format.js";

const SERVICE_LIMIT = 10_000;
const LAST_BLOCK = 2 ** 31 - 1;
const LISTED = 20;

/** `ends`: the blocks of the oldest and newest record, { first, last }. → what is left of them to read. */
export function blocksLeft({ report, isDone }, { first, last }, order) {
  if (isDone) return 0;
  if (!report) return last - first + 1;
  return Math.max(0, order === "asc" ? last - report.nextBlock + 1 : report.nextBlock - first + 1);
}

/** `actions`: buttons. `state` is "reading", "stopped" or "done". */
export function progressNode(reading, ends, order, state, actions = []) {
  const left = blocksLeft(reading, ends, order);
  const whole = Math.max(1, ends.last - ends.first + 1);
  const done = Math.min(whole, Math.max(0, whole - left));
  const { report, records } = reading;
  return el(
    "section",
    { class: `reading ${state}`, "aria-label": "Progress" },
    el(
      "div",
      { class: "reading-head" },
      el("h2", {}, title(reading, state)),
      actions.length ? el("p", { class: "actions" }, actions) : null,
    ),
    state === "done" ? null : el("progress", { max: whole, value: done, "aria-label": "Blocks read" }),
    el(
      "dl",
      { class: "tallies" },
      tally("Records", records),
      tally("Windows", report?.windows ?? 0),
      tally("Requests", report?.requests ?? 0),
      state === "done"
        ? tally("Least requests", Math.max(1, Math.ceil(records / SERVICE_LIMIT)), "were every window full")
        : tally("Next block", report?.nextBlock ?? null),
      state === "done" ? tally("Time", `${(reading.milliseconds / 1000).toFixed(1)} s`) : tally("Blocks left", left),
    ),
    state === "done" ? reportNode(reading) : null,
  );
}

function title({ report }, state) {
  if (state === "reading") return "Reading…";
  if (state === "stopped") return "Stopped";
  return isComplete(report) ? "Read completely" : "Read to the end, with gaps";
}

const isComplete = (report) => report.incompleteBlocks.length === 0 && report.unprocessed.length === 0;

/** A range without an end goes as far as block numbers do. */
const lastName = (block) => (block === LAST_BLOCK ? "the newest" : groupDigits(block));

function tally(label, value, hint = null) {
  const text = value === null ? "—" : typeof value === "number" ? groupDigits(value) : value;
  return el("div", { title: hint }, el("dt", {}, label), el("dd", {}, text));
}

function reportNode({ report }) {
  const lines = [
    ...report.incompleteBlocks.map(
      ({ block, records, reason }) => `Block ${groupDigits(block)}: ${counted(records, "record")} read. ${visibleText(reason)}`,
    ),
    ...report.unprocessed.map(
      ({ first, last, message }) => `Blocks ${groupDigits(first)} to ${lastName(last)}: ${visibleText(message)}`,
    ),
    ...report.changedBlocks.map((block) => `Block ${groupDigits(block)} changed while it was read (a reorganisation).`),
  ];
  const summary = isComplete(report)
    ? "Every block of the range was read, and every record of it once."
    : "Some of the range could not be read completely:";
  const rest = lines.length > LISTED ? [el("li", {}, `and ${lines.length - LISTED} more`)] : [];
  const items = lines.slice(0, LISTED).map((line) => el("li", {}, el("bdi", {}, line)));
  return el(
    "div",
    { class: "report", "aria-label": "Completeness report", role: "group" },
    el("p", {}, summary),
    lines.length ? el("ul", {}, items, rest) : null,
  );
}
