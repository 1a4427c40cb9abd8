// What the scripted addresses did in the 14 months before the head block: one entry for each habit, and for what happened once.

import type { LedgerContext } from "./context.js";
import { type ScriptRows, ScriptStage } from "./script-stage.js";

/** The first day of the script, a Monday, and the number of its months. */
const SCRIPT_START = "2025-09-01";
const SCRIPT_MONTHS = 14;

/** When something happens: on a date, on a day of each month, or on a weekday of each week, 0 to 6 from Monday. */
type ScriptTime = string | { readonly month: number } | { readonly week: number };

interface ScriptEntry {
  readonly when: ScriptTime;
  /** The probability that it happens. Default: 1. */
  readonly chance?: number;
  /** Amounts are in whole coins or tokens. */
  act(stage: ScriptStage): void;
}

const SCRIPT: readonly ScriptEntry[] = [
  // The treasury.
  { when: SCRIPT_START, act: (s) => s.send("foundation", "treasury", 60) },
  { when: SCRIPT_START, act: (s) => s.send("foundation", "treasury", 2_400_000, "harbor") },
  ...["2025-09-02", "2025-12-01", "2026-03-02", "2026-06-01", "2026-09-01"].map((when) => ({
    when,
    act: (s: ScriptStage) => s.send("foundation", "treasury", 75_000, "stablecoin"),
  })),
  {
    when: { month: 26 },
    act: (s) => s.pay("mara", "treasury", { showcase: 4200, mara: 5600, jonas: 4800, ines: 3900, tomas: 2200 }),
  },
  { when: { month: 12 }, chance: 0.5, act: (s) => s.pay("mara", "treasury", { governor: s.about(20_000) }, "harbor") },
  { when: { week: 1 }, chance: 0.6, act: (s) => s.send("foundation", "exchange", s.about(12_000), "harbor") },
  {
    when: { week: 4 },
    chance: 0.5,
    act: (s) => s.send(s.pick("ines", "tomas", "jonas"), s.pick("mara", "exchange"), s.about(140), "harbor"),
  },

  // The everyday wallet: how it began.
  { when: "2025-09-02", act: (s) => s.send("exchange", "showcase", 1.25) },
  { when: "2025-09-03", act: (s) => s.send("exchange", "showcase", 1800, "stablecoin") },
  { when: "2025-09-04", act: (s) => s.approve("showcase", "router", "stablecoin", null) },
  { when: "2025-09-11", act: (s) => s.approve("showcase", "router", "harbor", 2500) },
  { when: "2025-11-06", act: (s) => s.approve("showcase", "router", "moored", 2) },
  { when: "2026-02-17", act: (s) => s.approve("showcase", "market", "lagoon", null) },
  // Its habits.
  { when: { month: 1 }, act: (s) => s.send("showcase", "landlord", 1450, "stablecoin") },
  { when: { month: 28 }, act: (s) => s.send("showcase", "exchange", s.about(600), "stablecoin") },
  { when: { week: 5 }, chance: 0.9, act: (s) => s.send("showcase", "shop", s.about(64), "stablecoin") },
  { when: { week: 2 }, chance: 0.5, act: (s) => s.send("showcase", "shop", s.about(23), "stablecoin") },
  { when: { week: 4 }, chance: 0.3, act: (s) => s.send("showcase", s.pick("jonas", "ines"), s.about(45), "stablecoin") },
  { when: { week: 6 }, chance: 0.2, act: (s) => s.send("mara", "showcase", s.about(52), "stablecoin") },
  { when: { week: 0 }, chance: 0.55, act: (s) => s.swap("showcase", "stablecoin", "coin", s.about(240)) },
  { when: { week: 1 }, chance: 0.4, act: (s) => s.swap("showcase", "stablecoin", "harbor", s.about(130)) },
  { when: { week: 3 }, chance: 0.22, act: (s) => s.swap("showcase", "coin", "lagoon", s.about(0.03)) },
  { when: { week: 3 }, chance: 0.18, act: (s) => s.swap("showcase", "harbor", "stablecoin", s.about(55)) },
  { when: { week: 4 }, chance: 0.16, act: (s) => s.swap("showcase", "lagoon", "stablecoin", s.about(300)) },
  { when: { month: 9 }, chance: 0.8, act: (s) => s.stake("showcase", s.about(0.18)) },
  { when: { month: 17 }, chance: 0.3, act: (s) => s.unstake("showcase", s.about(0.16)) },
  { when: { month: 14 }, chance: 0.6, act: (s) => s.bridge("showcase", s.about(0.12), "out") },
  { when: { month: 22 }, chance: 0.55, act: (s) => s.bridge("showcase", s.about(0.11), "in") },
  { when: { month: 20 }, chance: 0.7, act: (s) => s.call("showcase", "governor", "castVote") },
  { when: { month: 6 }, chance: 0.35, act: (s) => s.send(s.pick("ines", "jonas"), "showcase", s.about(0.04)) },
  // What happened once.
  { when: "2025-12-19", act: (s) => s.mint("showcase", "lights", 0.04) },
  { when: "2026-03-13", act: (s) => s.mint("showcase", "boats", 0.025) },
  { when: "2026-05-21", act: (s) => s.buy("showcase", "lights", 0.085, "tomas") },
  { when: "2026-02-04", act: (s) => s.call("showcase", "router", "swap", { hasFailed: true }) },
  { when: "2026-08-12", act: (s) => s.call("showcase", "router", "swap", { hasFailed: true }) },
  { when: "2026-07-11", act: (s) => s.send("showcase", "tomas", 0.25) },
  { when: "2026-01-15", act: (s) => s.airdrop("showcase", 0, 5000) },
  { when: "2026-04-27", act: (s) => s.airdrop("showcase", 2, 1000) },
  { when: "2026-09-19", act: (s) => s.airdrop("showcase", 3, 1200) },
  { when: "2026-10-01", act: (s) => s.imitate("showcase", "landlord") },
  // The last days, which the balance by day shows.
  { when: "2026-10-23", act: (s) => s.swap("showcase", "stablecoin", "coin", 310) },
  { when: "2026-10-25", act: (s) => s.stake("showcase", 0.1) },
  { when: "2026-10-27", act: (s) => s.swap("showcase", "coin", "stablecoin", 0.045) },
  { when: "2026-10-29", act: (s) => s.bridge("showcase", 0.21, "in") },
  { when: "2026-10-30", act: (s) => s.swap("showcase", "stablecoin", "harbor", 90) },
  { when: "2026-10-31", act: (s) => s.send("showcase", "ines", 0.06) },

  // The collector.
  { when: "2025-09-05", act: (s) => s.send("exchange", "collector", 4.5) },
  { when: { month: 2 }, act: (s) => s.send("exchange", "collector", s.about(0.35)) },
  { when: { week: 4 }, chance: 0.5, act: (s) => s.mint("collector", "lights", 0.04) },
  { when: { week: 2 }, chance: 0.45, act: (s) => s.mint("collector", "boats", 0.025) },
  { when: { week: 5 }, chance: 0.25, act: (s) => s.buy("collector", s.pick("lights", "boats"), s.about(0.09), "jonas") },

  // The everyday wallet: what else a contract can do.
  { when: "2025-10-14", act: (s) => s.wrap("showcase", 0.08) },
  { when: "2025-12-10", act: (s) => s.unwrap("showcase", 0.05) },
  { when: "2026-03-20", act: (s) => s.lock("showcase", 150, "harbor") },
  { when: "2026-06-24", act: (s) => s.lock("showcase", 150, "harbor", true) },
  { when: "2026-05-06", act: (s) => s.deploy("showcase") },
  { when: "2026-07-02", act: (s) => s.burn("showcase", 5, "harbor") },
  { when: "2026-07-15", act: (s) => s.approve("showcase", "router", "lagoon", 900) },
  { when: "2026-08-20", act: (s) => s.approve("showcase", "router", "lagoon", 0) },
];

const DAY_MS = 86_400_000;
/** Between these hours people send transactions. */
const FIRST_HOUR = 7;
const HOURS = 15;

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
