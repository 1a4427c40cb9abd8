// What is missing in blocks that were read.
import type { HistoryReport } from "../history/index.js";
import type { Note } from "./copy.js";

/** Lists what the report of a history says about blocks. */
export function listNotes({ sources, reorganised }: HistoryReport, from: number, to: number, final: number): Note[] {
  return sources.flatMap(({ kind, state, reasons, omitted, unverified }) => {
    if (reasons.length === 0 && omitted.count === 0) return [];
    // An instance that has indexed everything else may still process the newest blocks, and a reorganisation replaces no final ones. The
    // others are read again.
    const isOnlyReorganised = reorganised && reasons.length === 1;
    const isRecent = (kind === "internal_transaction" || isOnlyReorganised) && omitted.count === 0 && unverified === undefined;
    const note = { kind, state, reasons, omitted, ...(unverified && { unverified }) };
    const first = isRecent && state === "incomplete" ? Math.max(from, final + 1) : from;
    return first > to ? [] : [{ ...note, from: first, to }];
  });
}

/** Replaces the notes of blocks that were read again. */
export function replaceNotes(notes: readonly Note[], added: readonly Note[], from: number, to: number): Note[] {
  const rest = notes.flatMap((note) => {
    const before = note.from < from ? [{ ...note, to: Math.min(note.to, from - 1) }] : [];
    const after = note.to > to ? [{ ...note, from: Math.max(note.from, to + 1) }] : [];
    return [...before, ...after];
  });
  const merged = new Map<string, Note>();
  for (const note of [...rest, ...added]) {
    const { from, to, ...content } = note;
    // Each sync adds the same one on a chain that lacks a list.
    const key = JSON.stringify(content.omitted.count > 0 ? note : [content.kind, content.state, content.reasons]);
    const same = merged.get(key);
    merged.set(key, same ? { ...same, from: Math.min(same.from, from), to: Math.max(same.to, to) } : note);
  }
  return [...merged.values()];
}
