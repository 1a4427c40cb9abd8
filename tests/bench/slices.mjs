// What the browser did in a stretch of time that a page has marked, told by the browser's trace.

export const CATEGORIES = ["blink.user_timing", "v8", "disabled-by-default-v8.gc"];

const COLLECTING = /^(MajorGC|MinorGC|V8\.GC)/;
const SCRIPT = /^(v8\.callFunction|v8\.run|FunctionCall|RunMicrotasks|BlinkScheduler_PerformMicrotaskCheckpoint)/;

/** Milliseconds of each stretch of this name: all of it, and by who took them. */
export function slicesOf({ traceEvents }, name) {
  const marks = traceEvents.filter((event) => event.cat === "blink.user_timing" && event.name === name).sort((a, b) => a.ts - b.ts);
  return marks
    .filter(({ ph }) => ph === "b")
    .map((begin) => {
      const end = marks.find(({ ph, pid, ts }) => ph === "e" && pid === begin.pid && ts >= begin.ts);
      const within = traceEvents.filter(({ ph, pid, tid }) => ph === "X" && pid === begin.pid && tid === begin.tid);
      // Microseconds in which at least one of these was going on: they nest.
      const time = (names) => {
        const events = within.filter(({ name }) => names.some((known) => known.test(name))).sort((a, b) => a.ts - b.ts);
        let sum = 0;
        let reached = begin.ts;
        for (const { ts, dur = 0 } of events) {
          const until = Math.min(ts + dur, end.ts);
          sum += Math.max(0, until - Math.max(ts, reached));
          reached = Math.max(reached, until);
        }
        return sum;
      };
      const [whole, collecting, busy] = [end.ts - begin.ts, time([COLLECTING]), time([COLLECTING, SCRIPT])];
      const ms = (time) => time / 1000;
      return { whole: ms(whole), script: ms(busy - collecting), collecting: ms(collecting), browser: ms(whole - busy) };
    });
}
