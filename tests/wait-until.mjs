// Waits for conditions that have no event.
import { setTimeout } from "node:timers/promises";

/** Resolves when `isTrue` resolves to true. Rejects after a minute, with what was waited for. */
export async function waitUntil(what, isTrue) {
  for (let left = 600; !(await isTrue()); left -= 1) {
    if (left === 0) throw new Error(`not within a minute: ${what}`);
    await setTimeout(100);
  }
}
