// Virtual time: the timers and the clock of the process are replaced by ones that jump to the next timer when nothing else happens.
// The client, the sample service and the code under test share it, so hours pass in milliseconds.
import assert from "node:assert/strict";
import { test } from "node:test";

const real = { setTimeout: globalThis.setTimeout, setImmediate: globalThis.setImmediate };
/** How many turns of the event loop to wait for tasks before time passes. Responses are read in few of them. */
const TURNS = 6;
/** A promise that is pending without a timer for this many rounds never settles. */
const MAX_IDLE_ROUNDS = 2_000;

export class VirtualTime {
  now;
  #timers = new Map();
  #lastId = 0;

  constructor(now = Date.UTC(2026, 10, 1)) {
    this.now = now;
    globalThis.setTimeout = (callback, ms = 0, ...args) => {
      this.#lastId += 1;
      this.#timers.set(this.#lastId, { time: this.now + Math.max(0, ms), run: () => callback(...args) });
      return this.#lastId;
    };
    globalThis.clearTimeout = (id) => void this.#timers.delete(id);
    Date.now = () => Math.floor(this.now);
    // Real sockets, which Node.js has since version 22, need real time.
    delete globalThis.WebSocket;
  }

  /** Lets time pass until a promise settles. Returns its result. */
  async run(promise) {
    let isSettled = false;
    const settle = () => (isSettled = true);
    promise.then(settle, settle);
    for (let idle = 0; !isSettled; ) {
      await runTasks();
      if (isSettled) break;
      if (this.#fireNext()) {
        idle = 0;
        continue;
      }
      assert.ok(++idle < MAX_IDLE_ROUNDS, "the promise is pending, and there is no timer");
      await new Promise((resolve) => real.setTimeout(resolve, 1));
    }
    return promise;
  }

  /** Declares a test during which time passes. */
  test(name, run) {
    test(name, () => this.run(run()));
  }

  /** Returns a promise that settles after this time. */
  sleep(ms) {
    return new Promise((resolve) => globalThis.setTimeout(resolve, ms));
  }

  /** Runs the earliest timer. Returns false if there is none. */
  #fireNext() {
    let next;
    for (const [id, { time }] of this.#timers) if (next === undefined || time < next.time) next = { id, time };
    if (next === undefined) return false;
    const { run } = this.#timers.get(next.id);
    this.#timers.delete(next.id);
    this.now = Math.max(this.now, next.time);
    run();
    return true;
  }
}

/** Runs the tasks that need no timer. */
async function runTasks() {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => real.setImmediate(resolve));
}
