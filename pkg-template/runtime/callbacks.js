// Calls the user's callbacks with objects. The WebAssembly module calls these functions with plain values.
import { omitUndefined } from "./errors.js";

export function emitDrift(callback, kind, record, field, found) {
  callback({ kind, record, field, found });
}

export function emitBadRecord(callback, path, expected, found, raw) {
  callback({ path, expected, found, raw });
}

export function emitEvent(callback, kind, url, attempt, ms, status, code) {
  callback(omitUndefined({ kind, url, attempt, ms, status, code }));
}
