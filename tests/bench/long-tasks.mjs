// Breaks down the longest main-thread tasks, which a page has marked with performance measures, by the browser's trace.

/** The trace categories to record. */
export const TRACE_CATEGORIES = ["blink.user_timing", "v8", "disabled-by-default-v8.gc"];

const GC_EVENTS = /^(MajorGC|MinorGC|V8\.GC)/;
const SCRIPT_EVENTS = /^(v8\.callFunction|v8\.run|FunctionCall|RunMicrotasks|BlinkScheduler_PerformMicrotaskCheckpoint)/;

/** Returns milliseconds of each measure with this name: the total, and the shares of scripts, garbage collection and the browser. */
export function breakDownTasks({ traceEvents }, name) {
  const marks = traceEvents
    .filter((event) => event.cat === "blink.user_timing" && event.name === name)
    .sort((a, b) => a.ts - b.ts);
  return marks
    .filter(({ ph }) => ph === "b")
    .map((begin) => {
      const end = marks.find(({ ph, pid, ts }) => ph === "e" && pid === begin.pid && ts >= begin.ts);
      const threadEvents = traceEvents.filter(({ ph, pid, tid }) => ph === "X" && pid === begin.pid && tid === begin.tid);
      // Sums the microseconds that are covered by at least one of these events, which can be nested.
      const sumDurations = (patterns) => {
        const events = threadEvents
          .filter(({ name }) => patterns.some((pattern) => pattern.test(name)))
          .sort((a, b) => a.ts - b.ts);
        let sum = 0;
        let covered = begin.ts;
        for (const { ts, dur = 0 } of events) {
          const eventEnd = Math.min(ts + dur, end.ts);
          sum += Math.max(0, eventEnd - Math.max(ts, covered));
          covered = Math.max(covered, eventEnd);
        }
        return sum;
      };
      const [total, gc, scriptAndGc] = [end.ts - begin.ts, sumDurations([GC_EVENTS]), sumDurations([GC_EVENTS, SCRIPT_EVENTS])];
      const toMs = (us) => us / 1000;
      return { total: toMs(total), script: toMs(scriptAndGc - gc), gc: toMs(gc), browser: toMs(total - scriptAndGc) };
    });
}
