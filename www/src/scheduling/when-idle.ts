// Schedules idle work.

/** A busy page may not be idle for long. After this time, the work runs anyway. */
const MAX_WAIT_MS = 1000;

/** Calls `act` when the browser is idle. */
export function whenIdle(act: () => void): void {
  // Safari lacks requestIdleCallback.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(act, { timeout: MAX_WAIT_MS });
  else setTimeout(act);
}
