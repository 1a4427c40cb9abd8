// Performs the script (script.ts) in the order of its times.

import type { LedgerContext } from "./context.js";
import { SCRIPT, SCRIPT_MONTHS, SCRIPT_START, type ScriptEntry } from "./script.js";
import type { ScriptRows } from "./script-draft.js";
import { ScriptStage } from "./script-stage.js";

const DAY_MS = 86_400_000;
/** Between these hours people send transactions. */
const FIRST_HOUR = 7;
const HOURS = 15;

/** Performs the script. */
export function performScript(context: LedgerContext): ScriptRows {
  const stage = new ScriptStage(context);
  const acts = SCRIPT.flatMap((entry, i) => listActs(context, entry, i)).sort((a, b) => a.time - b.time);
  for (const { act, time, random } of acts) stage.perform(act, time, random);
  return stage.getRows();
}

/** Lists the times of an entry, in Unix seconds, each with its random generator. */
function listActs(context: LedgerContext, entry: ScriptEntry, i: number) {
  const start = new Date(SCRIPT_START);
  const { when, chance = 1, act } = entry;
  const getMonthDay = (month: number, day: number) => Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month, day);
  const end = getMonthDay(SCRIPT_MONTHS, 1);
  const weeks = Math.ceil((end - start.getTime()) / (7 * DAY_MS));
  const days =
    typeof when === "string"
      ? [Date.parse(when)]
      : "month" in when
        ? Array.from({ length: SCRIPT_MONTHS }, (_, month) => getMonthDay(month, when.month))
        : Array.from({ length: weeks }, (_, week) => start.getTime() + (7 * week + when.week) * DAY_MS);
  return days
    .filter((day) => day < end)
    .map((day, n) => ({ day, random: context.createRandom("script", i, n) }))
    .filter(({ random }) => random.nextBoolean(chance))
    .map(({ day, random }) => {
      const time = day / 1000 + (FIRST_HOUR * 60 + random.nextInt(HOURS * 60)) * 60;
      return { act, time, random };
    });
}
