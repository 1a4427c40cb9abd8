// Renders the progress of a RangeReader and, when it is done, a report on completeness.
import { el } from "./dom.js";
import { formatCount, groupDigits, sanitizeText } from "./format.js";

const MAX_RECORDS_PER_REQUEST = 10_000;
/** The service's upper bound for block numbers; it stands for a range without an end. */
const MAX_BLOCK = 2 ** 31 - 1;
const MAX_PROBLEMS_SHOWN = 20;

/** `bounds` are the blocks of the oldest and the newest record: { first, last }. */
export function countRemainingBlocks({ report, isDone }, { first, last }, order) {
  if (isDone) return 0;
  if (!report) return last - first + 1;
  return Math.max(0, order === "asc" ? last - report.nextBlock + 1 : report.nextBlock - first + 1);
}

/** `status` is "loading", "paused" or "done"; `buttons` are shown beside the title. */
export function createProgressSection(reader, bounds, order, status, buttons = []) {
  const { report, recordCount } = reader;
  const isDone = status === "done";
  const totalBlocks = Math.max(1, bounds.last - bounds.first + 1);
  const remainingBlocks = countRemainingBlocks(reader, bounds, order);
  const readBlocks = Math.min(totalBlocks, Math.max(0, totalBlocks - remainingBlocks));
  const stats = [
    createStat("Records", recordCount),
    createStat("Windows", report?.windows ?? 0, "Block ranges the history was split into"),
    createStat("Requests", report?.requests ?? 0),
    ...(isDone
      ? [
          createStat(
            "Minimum requests",
            Math.max(1, Math.ceil(recordCount / MAX_RECORDS_PER_REQUEST)),
            `If every response had ${groupDigits(MAX_RECORDS_PER_REQUEST)} records`,
          ),
          createStat("Time", `${(reader.elapsedMs / 1000).toFixed(1)} s`),
        ]
      : [createStat("Next block", report?.nextBlock ?? null), createStat("Blocks left", remainingBlocks)]),
  ];
  return el(
    "section",
    { class: `range-progress ${status}`, "aria-label": "Progress" },
    el(
      "div",
      { class: "range-progress-header" },
      el("h2", {}, getTitle(report, status)),
      buttons.length > 0 ? el("p", { class: "actions" }, buttons) : null,
    ),
    isDone ? null : el("progress", { max: totalBlocks, value: readBlocks, "aria-label": "Blocks read" }),
    el("dl", { class: "stats" }, stats),
    isDone ? createReport(report) : null,
  );
}

function getTitle(report, status) {
  if (status === "loading") return "Loading…";
  if (status === "paused") return "Paused";
  return isComplete(report) ? "Complete" : "Finished with gaps";
}

const isComplete = (report) => report.incompleteBlocks.length === 0 && report.unprocessed.length === 0;

function createStat(label, value, tooltip = null) {
  const text = value === null ? "—" : typeof value === "number" ? groupDigits(value) : value;
  return el("div", { title: tooltip }, el("dt", {}, label), el("dd", {}, text));
}

function createReport(report) {
  const problems = describeProblems(report);
  const summary = isComplete(report)
    ? "Every block in the range was read, without missing or duplicate records."
    : "Some blocks could not be read completely:";
  const items = problems.slice(0, MAX_PROBLEMS_SHOWN).map((problem) => el("li", {}, el("bdi", {}, problem)));
  const hiddenCount = problems.length - MAX_PROBLEMS_SHOWN;
  const more = hiddenCount > 0 ? el("li", {}, `and ${hiddenCount} more`) : null;
  return el(
    "div",
    { class: "report", "aria-label": "Completeness report", role: "group" },
    el("p", {}, summary),
    problems.length > 0 ? el("ul", {}, items, more) : null,
  );
}

function describeProblems({ incompleteBlocks, unprocessed, changedBlocks }) {
  const formatLastBlock = (block) => (block === MAX_BLOCK ? "latest" : groupDigits(block));
  return [
    ...incompleteBlocks.map(
      ({ block, records, reason }) =>
        `Block ${groupDigits(block)}: ${formatCount(records, "record")} read. ${sanitizeText(reason)}`,
    ),
    ...unprocessed.map(
      ({ first, last, message }) => `Blocks ${groupDigits(first)} to ${formatLastBlock(last)}: ${sanitizeText(message)}`,
    ),
    ...changedBlocks.map((block) => `Block ${groupDigits(block)} changed while it was read (chain reorganization).`),
  ];
}
