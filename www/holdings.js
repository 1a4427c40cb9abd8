// The view of the tokens that an address holds.
import { el } from "./dom.js";
import { counted, visibleText } from "./format.js";
import { growingTable } from "./more.js";
import { settle, showCancelled, showEmpty, showError, showLoading } from "./results.js";

export async function openHoldings(visit) {
  const { list, address } = visit.state;
  const own = new AbortController();
  const signal = AbortSignal.any([visit.signal, own.signal]);
  showLoading(list, visit.keepRows, () => own.abort());
  const started = performance.now();
  try {
    const { items, message } = await visit.client.account.tokenList({ address }, { signal });
    if (visit.signal.aborted) return;
    const note = message ? [el("p", { class: "note" }, visibleText(message))] : [];
    const milliseconds = Math.round(performance.now() - started);
    if (items.length === 0) return showEmpty("No tokens", "This address holds no tokens.", note);
    const rows = growingTable(list, items, visit.context);
    settle(`${counted(items.length, "holding")}, in ${milliseconds} ms`, ...note, ...rows);
  } catch (error) {
    if (visit.signal.aborted) return;
    if (own.signal.aborted) showCancelled([["Retry", visit.reload]]);
    else showError(error, [["Retry", visit.reload]]);
  }
}
