// Shows the balances of a list of addresses, marks stale ones, and refreshes them until they are up to date.
import { el, getById } from "./dom.js";
import { createExpandableTable } from "./expandable-table.js";
import { formatCount, sanitizeText } from "./format.js";
import { showBusy, showCancelled, showContent, showError, showLoading, showPrompt } from "./panel.js";
import { parseAddresses } from "./parse-addresses.js";

/** How long stale balances are refreshed before giving up. */
const REFRESH_MS = 10_000;
const MAX_INVALID_SHOWN = 5;

/** Stale, or not known to the service yet. */
const isOutdated = ({ balance, stale }) => stale === true || balance === null;

export function openBalances(view) {
  const { address, filters } = view.state;
  const input = parseAddresses(filters.addresses ?? address);
  if (input.addresses.length > 0) return loadBalances(view, input);
  showPrompt("No valid addresses", "Enter 0x followed by 40 hex digits, one address per line.");
}

async function loadBalances(view, input) {
  const cancellation = new AbortController();
  const signal = AbortSignal.any([view.signal, cancellation.signal]);
  showLoading(view.state.tab, view.keepRows, () => cancellation.abort());
  try {
    const balances = await view.client.account.balanceMulti({ address: input.addresses }, { signal });
    if (view.signal.aborted) return;
    showBalances(view, input, balances, formatCount(balances.length, "balance"));
  } catch (error) {
    if (view.signal.aborted) return;
    if (cancellation.signal.aborted) showCancelled([["Retry", view.reload]]);
    else showError(error, [["Retry", view.reload]]);
  }
}

/** Requests only the outdated balances again, and merges the results into the others. */
async function refreshBalances(view, input, balances) {
  const cancellation = new AbortController();
  const signal = AbortSignal.any([view.signal, cancellation.signal]);
  const outdated = balances.filter(isOutdated);
  const seconds = REFRESH_MS / 1000;
  const message = `Refreshing ${formatCount(outdated.length, "balance")} for up to ${seconds} s…`;
  showBusy(message, () => cancellation.abort(), true);
  try {
    const refreshed = await view.client.account.balanceMulti(
      { address: outdated.map(({ account }) => account) },
      { signal, until: "fresh", freshWithinMs: REFRESH_MS },
    );
    if (view.signal.aborted) return;
    const merged = balances.map((row) => {
      const index = outdated.indexOf(row);
      return index < 0 ? row : { ...refreshed[index], previousBalance: row.balance, isRefreshed: true };
    });
    const staleCount = refreshed.filter(isOutdated).length;
    const summary = `${formatCount(refreshed.length - staleCount, "balance")} updated, ${staleCount} still stale`;
    showBalances(view, input, merged, staleCount === 0 ? "All balances are up to date" : summary, true);
  } catch (error) {
    if (view.signal.aborted) return;
    const retry = () => refreshBalances(view, input, balances);
    const goBack = () => showBalances(view, input, balances, "Refresh cancelled", true);
    if (cancellation.signal.aborted) goBack();
    else
      showError(error, [
        ["Retry", retry],
        ["Back to the balances", goBack],
      ]);
  }
}

function showBalances(view, input, balances, message, shouldFocus = false) {
  // Without an address, the cells render every address as a link, the searched one included.
  const context = { ...view.context, address: "" };
  const staleCount = balances.filter(isOutdated).length;
  const refreshButton = el(
    "button",
    { type: "button", class: "primary", click: () => refreshBalances(view, input, balances) },
    "Refresh until up to date",
  );
  showContent(
    message,
    ...createInputNotes(input),
    ...(staleCount > 0 ? [createStaleNotice(staleCount, refreshButton)] : []),
    ...createExpandableTable(view.state.tab, balances, context),
  );
  if (shouldFocus) (staleCount > 0 ? refreshButton : getById("panel")).focus({ preventScroll: true });
}

function createStaleNotice(count, refreshButton) {
  const subject = count === 1 ? "1 balance is" : `${count} balances are`;
  const text = `${subject} stale or unknown. The service is fetching the current values from the chain.`;
  return el("div", { class: "callout warn" }, el("p", {}, text), refreshButton);
}

/** Creates notes about invalid and duplicate entries in the address list. */
function createInputNotes({ invalid, duplicates }) {
  const notes = [];
  if (invalid.length > 0) {
    const items = invalid
      .slice(0, MAX_INVALID_SHOWN)
      .map(({ entry, position }) => el("li", {}, `Entry ${position}: `, el("bdi", { class: "mono" }, sanitizeText(entry, 60))));
    const hiddenCount = invalid.length - MAX_INVALID_SHOWN;
    const more = hiddenCount > 0 ? el("li", {}, `and ${hiddenCount} more`) : null;
    const subject = invalid.length === 1 ? "1 invalid address was" : `${invalid.length} invalid addresses were`;
    const text = el("p", {}, `${subject} skipped:`);
    notes.push(el("div", { class: "callout bad", role: "alert" }, text, el("ul", {}, items, more)));
  }
  if (duplicates > 0) {
    const subject = duplicates === 1 ? "1 duplicate address was" : `${duplicates} duplicate addresses were`;
    notes.push(el("p", { class: "note" }, `${subject} removed.`));
  }
  return notes;
}
