// What is said about events of an earlier visit, and instead of an error while the service cannot be reached.
import { isAddressQueryError } from "address-query";
import { html, type TemplateResult } from "lit";
import { errorBox } from "../components/error-box.js";
import { formatAsOf } from "../format/time.js";

const isUnreachable = (error: unknown): boolean =>
  isAddressQueryError(error) && (error.code === "network" || error.code === "timeout");

/** How old the events are, and why they were not brought up to date. `error` null: they are being read. */
export function storedNote(readAt: string, error: unknown, retry: () => void): TemplateResult {
  const age = formatAsOf(readAt);
  if (error === null) return html`<p class="note" role="status">${age}. Updating…</p>`;
  if (!isUnreachable(error)) return html`<p class="note" role="status">${age}.</p>${errorBox(error, retry)}`;
  return html`<p class="note" role="status">${age}. The service cannot be reached. <button type="button" class="link" @click=${retry}>Retry</button></p>`;
}

/** Replaces the error of a part that is not stored. */
export const partError: typeof errorBox = (error, retry) =>
  isUnreachable(error) ? html`<p class="none">Not stored on this device.</p>` : errorBox(error, retry);
