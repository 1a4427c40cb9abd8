// Tells the caller's functions what the module has to say. Called by the module.
import { known } from "./errors.js";

export function tellDrift(hook, kind, record, field, found) {
  hook({ kind, record, field, found });
}

export function tellBadRecord(hook, path, expected, found, raw) {
  hook({ path, expected, found, raw });
}

export function tellEvent(hook, kind, url, attempt, ms, status, code) {
  hook(known({ kind, url, attempt, ms, status, code }));
}
