// How complete the stored events of some blocks are.
import { sumOmitted } from "../entry-support.js";
import type { HistoryKind, HistorySource } from "../history/index.js";
import type { CopyState, Note } from "./copy.js";
import type { StoredReport } from "./public-types.js";

/** The part of a copy that a report is about. */
interface ReportedPart {
  from: number;
  to: number;
  kinds: readonly HistoryKind[];
  /** The number of delivered events of each kind. */
  records: { readonly [Kind in HistoryKind]?: number };
}

/** Creates the report of a part of a copy. `state` is undefined if nothing is stored. */
export function createReport(state: CopyState | undefined, { from, to, kinds, records }: ReportedPart): StoredReport {
  const isInside = (part: { from: number; to: number }) => part.from <= to && part.to >= from;
  const gaps = (state?.gaps ?? []).map((gap) => ({ from: gap.from, to: Number.parseInt(gap.before, 10) })).filter(isInside);
  const unread = gaps.map((gap) => `blocks ${gap.from} to ${gap.to}: not read since a sync was interrupted`);
  const sources = kinds.map((kind): HistorySource => {
    const isStored = state?.kinds.includes(kind) && state.head >= 0;
    const notes = (state?.notes ?? []).filter((note) => note.kind === kind && isInside(note));
    const reasons = isStored ? [...notes.flatMap(formatReasons), ...unread] : ["not stored"];
    const [unverified] = notes.flatMap((note) => note.unverified ?? []);
    const isSkipped = !isStored || (notes.length > 0 && notes.every((note) => note.state === "skipped"));
    return {
      ...{ kind, method: state?.methods[kind] ?? "", replaced: null, reasons },
      records: records[kind] ?? 0,
      state: isSkipped ? "skipped" : reasons.length > 0 ? "incomplete" : "complete",
      omitted: sumOmitted(...notes.map(({ omitted }) => omitted)),
      ...(unverified && { unverified }),
    };
  });
  return {
    complete: sources.every((source) => source.state === "complete"),
    events: Object.values(records).reduce((sum, count) => sum + count, 0),
    from,
    to,
    sources,
    omitted: sumOmitted(...sources.map(({ omitted }) => omitted)),
    synced_at: state?.synced_at ?? null,
    read_at: state?.read_at ?? null,
    unread: gaps,
  };
}

function formatReasons({ reasons, from, to }: Note): string[] {
  return reasons.map((reason) => `blocks ${from} to ${to}: ${reason}`);
}
