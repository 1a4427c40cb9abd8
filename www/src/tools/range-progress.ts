// Shows the progress of a range, and when it is done, how complete it is.
import { html, nothing, type TemplateResult } from "lit";
import { formatCount, formatInteger } from "../format/number.js";
import { cleanText } from "../format/text.js";
import { isComplete, type RangeProgress, type RangeReader } from "./range-reader.js";

export type RangeStatus = "loading" | "paused" | "failed" | "done";

/** The blocks of the oldest and the newest record. */
export interface Bounds {
  first: number;
  last: number;
}

const MAX_RECORDS_PER_REQUEST = 10_000;
/** The service's upper bound for block numbers: it stands for a range without an end. */
const MAX_BLOCK = 2 ** 31 - 1;
const MAX_PROBLEMS_SHOWN = 20;

export function countRemainingBlocks({ report, isDone }: RangeReader, { first, last }: Bounds, order: "asc" | "desc"): number {
  if (isDone) return 0;
  const next = report?.nextBlock ?? null;
  if (next === null) return last - first + 1;
  return Math.max(0, order === "asc" ? last - next + 1 : next - first + 1);
}

const stat = (label: string, value: number | string | null, title = "") =>
  html`<div title=${title || nothing}><dt>${label}</dt><dd>${typeof value === "number" ? formatInteger(value) : (value ?? "—")}</dd></div>`;

function getTitle(report: RangeProgress | null, status: RangeStatus): string {
  if (status === "loading") return "Loading…";
  if (status !== "done") return "Paused";
  return report && !isComplete(report) ? "Finished with gaps" : "Complete";
}

export function rangeProgress(
  reader: RangeReader,
  bounds: Bounds,
  order: "asc" | "desc",
  status: RangeStatus,
  actions: unknown,
): TemplateResult {
  const { report, recordCount } = reader;
  const total = Math.max(1, bounds.last - bounds.first + 1);
  const remaining = countRemainingBlocks(reader, bounds, order);
  const minimum = Math.max(1, Math.ceil(recordCount / MAX_RECORDS_PER_REQUEST));
  return html`<section class="range-progress" aria-label="Progress">
    <div class="range-head"><h2>${getTitle(report, status)}</h2><p class="actions">${actions}</p></div>
    ${status === "done" ? nothing : html`<progress aria-label="Blocks read" max=${total} .value=${Math.min(total, Math.max(0, total - remaining))}></progress>`}
    <dl class="stats">
      ${stat("Records", recordCount)} ${stat("Windows", report?.windows ?? 0, "Ranges of blocks that the whole range was split into")}
      ${stat("Requests", report?.requests ?? 0)}
      ${
        status === "done"
          ? html`${stat("Minimum requests", minimum, `If every response had ${formatInteger(MAX_RECORDS_PER_REQUEST)} records`)}
              ${stat("Time", `${(reader.elapsedMs / 1000).toFixed(1)} s`)}`
          : html`${stat("Next block", report?.nextBlock ?? null)} ${stat("Blocks left", remaining)}`
      }
    </dl>
    ${status === "done" && report ? completeness(report) : nothing}
  </section>`;
}

function completeness(report: RangeProgress): TemplateResult {
  const problems = describeProblems(report);
  const hidden = problems.length - MAX_PROBLEMS_SHOWN;
  return html`<div role="group" aria-label="Completeness report">
    <p>${isComplete(report) ? "Every block in the range was read, without missing or duplicate records." : "Some records could not be read:"}</p>
    ${
      problems.length > 0
        ? html`<ul>${problems.slice(0, MAX_PROBLEMS_SHOWN).map((problem) => html`<li><bdi>${problem}</bdi></li>`)}
            ${hidden > 0 ? html`<li>and ${hidden} more</li>` : nothing}</ul>`
        : nothing
    }
  </div>`;
}

function describeProblems({ incompleteBlocks, unprocessed, changedBlocks, omitted }: RangeProgress): string[] {
  const formatLast = (block: number) => (block === MAX_BLOCK ? "latest" : formatInteger(block));
  return [
    ...incompleteBlocks.map(
      ({ block, records, reason }) =>
        `Block ${formatInteger(block)}: ${formatCount(records, "record")} read. ${cleanText(reason)}`,
    ),
    ...unprocessed.map(
      ({ first, last, message }) => `Blocks ${formatInteger(first)} to ${formatLast(last)}: ${cleanText(message)}`,
    ),
    ...(omitted.count > 0 ? [`${formatCount(omitted.count, "record")} failed validation and were omitted.`] : []),
    ...changedBlocks.map((block) => `Block ${formatInteger(block)} changed while it was read (chain reorganization).`),
  ];
}
