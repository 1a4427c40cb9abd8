// When a watch polls.
import { isAddressQueryError } from "../public.js";
import type { HintSocket } from "./live-socket.js";

export const INTERVAL_MS = 15_000;
export const MAX_INTERVAL_MS = 60_000;
const HIDDEN_INTERVAL_MS = 120_000;
/** The interval of polls for the kinds that a live socket announces. */
const LIVE_INTERVAL_MS = 300_000;
/** The growth of the interval while nothing happens, or polls fail. */
const GROWTH = 1.5;
/** The minimum time between two polls that hints cause. */
const MIN_HINTED_MS = 3_000;
/** The service reads a replica, which may lack an announced record: when to poll again if a poll has no news. */
const LAG_MS = [3_000, 10_000];
/** Several events announce one block. */
const DEBOUNCE_MS = 600;
/** Events of the socket about other records, and those that reads cause. */
const UNRELATED = /^pending|^token_b|^verif|bytecode$|_(verified|started)$/;
/** The time within which a record must be announced. */
const AUDIT_MS = 30_000;
/** Events that are more frequent than polls for so long are no help. */
const MAX_STORM_MS = 300_000;
const DISTRUST_MS = 1_800_000;

/** Waits between polls: longer while nothing happens or polls fail, and while the page is hidden. */
export class Poller {
  readonly #signal: AbortSignal;
  readonly #pollMs: number;
  /** Whether a live socket announces all kinds of the watch. */
  readonly #isAllAnnounced: boolean;
  #interval: number;
  #notBefore = 0;
  /** The end of the last poll, and of the last complete one. */
  #ended = 0;
  #completed = 0;
  #hadNews = true;
  #started = Number.NEGATIVE_INFINITY;
  /** The start of the last complete poll that has succeeded. */
  #previous = Number.NEGATIVE_INFINITY;
  /** When to poll because of a hint, and when to poll again. */
  #hinted = Number.POSITIVE_INFINITY;
  #repeats: number[] = [];
  #lastHinted = Number.NEGATIVE_INFINITY;
  #isJoined: (() => boolean) | undefined;
  #join: (() => void) | undefined;
  #leave: (() => void) | undefined;
  /** The times of the last join, of the last event about a record, of any event, and of the first one of a storm. */
  #joined = 0;
  #announced = Number.NEGATIVE_INFINITY;
  #lastEvent = Number.NEGATIVE_INFINITY;
  #stormStart = 0;
  /** Until when an event must announce a record. 0: none is missing. */
  #deadline = 0;
  #trustedFrom = 0;
  #distrustMs = DISTRUST_MS;
  #reschedule: (() => void) | undefined;
  /** Whether the last poll failed. */
  hasFailed = false;
  /** Whether the last poll had events. */
  hasNews = false;
  constructor(signal: AbortSignal, pollMs: number, isAllAnnounced: boolean) {
    this.#signal = signal;
    this.#pollMs = pollMs;
    this.#isAllAnnounced = isAllAnnounced;
    this.#interval = pollMs / GROWTH;
  }

  /** Returns whether polling can continue after an error. */
  canContinue(error: unknown): boolean {
    if (!isAddressQueryError(error) || !error.retryable) return false;
    this.#notBefore = Date.now() + (error.retryAfterMs ?? 0);
    this.hasFailed = true;
    return true;
  }

  /** Whether a proven socket announces what polls find. */
  get isLive(): boolean {
    return this.#isJoined?.() === true && Date.now() >= this.#trustedFrom;
  }

  /** Listens to the events of an address in lower case. `onChange` is called when `isLive` may have changed. */
  listen(socket: HintSocket, address: string, onChange: () => void): void {
    // The service compares topics as strings, and publishes in lower case.
    const topic = `addresses:${address}`;
    this.#isJoined = () => socket.isLive(topic);
    this.#join = () => {
      this.#leave = socket.listen(topic, (event) => {
        if (event !== undefined) this.#onEvent(event);
        else this.#reschedule?.();
        onChange();
      });
    };
    this.#join();
    this.#signal.addEventListener("abort", () => this.#leave?.());
  }

  #onEvent(event: string): void {
    const now = Date.now();
    if (UNRELATED.test(event)) return;
    if (event === "") this.#joined = now;
    if (/^t/.test(event)) {
      this.#announced = now;
      this.#deadline = 0;
    }
    if (now - this.#lastEvent > this.#pollMs) this.#stormStart = now;
    this.#lastEvent = now;
    if (now - this.#stormStart > MAX_STORM_MS) {
      this.#leave?.();
      this.#leave = undefined;
      this.#trustedFrom = now + DISTRUST_MS;
    }
    // Events before the join are lost, so it is a reason to poll at once.
    const time = event === "" ? now : Math.max(now + DEBOUNCE_MS, this.#lastHinted + MIN_HINTED_MS);
    this.#hinted = Math.min(this.#hinted, time);
    this.#reschedule?.();
  }

  /** A poll has found a record that the socket should have announced. */
  checkAnnounced(): void {
    const since = this.#previous - AUDIT_MS;
    if (this.isLive && since > Math.max(this.#joined, this.#announced)) this.#deadline ||= Date.now() + AUDIT_MS;
  }

  /**
   * Waits after a poll. Returns whether the next one must be complete. Otherwise, only kinds that are not announced are due. Resolves
   * at once if the signal aborts, or if the page is shown or online again.
   */
  async wait(wasComplete: boolean): Promise<boolean> {
    this.#ended = Date.now();
    if (this.#deadline && this.#ended >= this.#deadline) {
      this.#deadline = 0;
      this.#trustedFrom = this.#ended + this.#distrustMs;
      this.#distrustMs *= 2;
    }
    if (!this.#leave && this.#ended >= this.#trustedFrom) this.#join?.();
    if (wasComplete) {
      this.#completed = this.#ended;
      this.#hadNews = this.hasNews;
      if (!this.hasFailed) this.#previous = this.#started;
    }
    if (this.hasFailed) this.#hinted = Number.POSITIVE_INFINITY;
    if (this.hasFailed || this.hasNews) this.#repeats = [];
    this.#interval = this.hasNews ? this.#pollMs : Math.min(this.#interval * GROWTH, MAX_INTERVAL_MS);
    const isComplete = await this.#sleep();
    const now = Date.now();
    if (isComplete) {
      this.#started = now;
      this.#repeats = this.#repeats.filter((time) => time > now);
      if (this.#hinted <= now) {
        this.#hinted = Number.POSITIVE_INFINITY;
        this.#lastHinted = now;
        this.#repeats = LAG_MS.map((ms) => now + ms);
      }
    }
    this.hasNews = false;
    this.#notBefore = 0;
    return isComplete;
  }

  async #sleep(): Promise<boolean> {
    const { document } = globalThis;
    const waiting = new AbortController();
    const options = { signal: waiting.signal };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isComplete = await new Promise<boolean>((resolve) => {
      this.#reschedule = () => {
        clearTimeout(timer);
        const next = this.#getNext(document?.hidden);
        timer = setTimeout(() => resolve(next.isComplete), next.time - Date.now());
      };
      this.#reschedule();
      const wake = () => resolve(true);
      document?.addEventListener("visibilitychange", () => document.hidden || wake(), options);
      globalThis.addEventListener?.("online", wake, options);
      this.#signal.addEventListener("abort", wake, options);
      if (this.#signal.aborted) wake();
    });
    waiting.abort();
    clearTimeout(timer);
    this.#reschedule = undefined;
    return isComplete;
  }

  /** Returns the time of the next poll, and whether it must be complete. */
  #getNext(isHidden = false): { time: number; isComplete: boolean } {
    const interval = isHidden ? Math.max(this.#interval, HIDDEN_INTERVAL_MS) : this.#interval;
    const isRare = this.isLive && !this.hasFailed && !this.#hadNews && !this.#deadline;
    const complete = Math.min(this.#completed + (isRare ? LIVE_INTERVAL_MS : interval), this.#hinted, ...this.#repeats);
    const partial = isRare && !this.#isAllAnnounced ? this.#ended + interval : Number.POSITIVE_INFINITY;
    const time = Math.max(this.#notBefore, Math.min(complete, partial));
    return { time, isComplete: complete <= time };
  }
}
