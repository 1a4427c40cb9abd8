// Combines the reports of the calls that have written an export.
import { sumOmitted } from "../entry-support.js";
import type { Omitted } from "../public.js";

/** A report of a history, a merged history or a range, or the part of one that a source or an account has. */
export type Report = { [member: string]: unknown };

const COUNTS: readonly string[] = ["events", "records", "windows", "requests"];
/** Members that list what is missing. */
const FAULTS: readonly string[] = ["reasons", "incompleteBlocks", "unprocessed"];
/** Members with a report for each source or account, in the same order in every call. */
const REPORTS: readonly string[] = ["sources", "accounts"];

/** Combines a report with a later one, which covers what was read after it. */
export function combineReports(earlier: Report | null, later: Report | null): Report | null {
  if (earlier === null || later === null) return later ?? earlier;
  const combined: Report = { ...earlier, ...later };
  for (const [name, before] of Object.entries(earlier)) {
    const after = later[name];
    if (COUNTS.includes(name)) combined[name] = Number(before) + Number(after);
    else if (name === "omitted") combined[name] = sumOmitted(before as Omitted, after as Omitted);
    else if (name === "report") combined[name] = combineReports(before as Report | null, after as Report | null);
    else if (name === "replaced") combined[name] = after ?? before;
    else if (REPORTS.includes(name))
      combined[name] = (after as Report[]).map((report, i) => combineReports((before as Report[])[i] ?? null, report));
    else if (Array.isArray(before)) combined[name] = unite(before, after as unknown[]);
  }
  const isFaulty = hasFaults(combined);
  if ("complete" in combined) combined["complete"] = combined["complete"] === true && !isFaulty;
  if (combined["state"] === "complete" && isFaulty) combined["state"] = "incomplete";
  return combined;
}

/** Whether a report says that something is missing, apart from what was not read yet. */
function hasFaults(report: Report): boolean {
  return Object.entries(report).some(([name, value]) => {
    if (FAULTS.includes(name)) return (value as unknown[]).length > 0;
    if (name === "omitted") return (value as Omitted).count > 0;
    if (name === "report") return value !== null && hasFaults(value as Report);
    return REPORTS.includes(name) && (value as Report[]).some(hasFaults);
  });
}

function unite(before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const known = new Set(before.map((value) => JSON.stringify(value)));
  return [...before, ...after.filter((value) => !known.has(JSON.stringify(value)))];
}

/** Returns the error of the first account that failed. */
export function findFailure(report: Report | null): unknown {
  return (report?.["accounts"] as Report[] | undefined)?.find(({ error }) => error)?.["error"];
}
