// Shows the tokens that an address holds.
import { el } from "./dom.js";
import { createExpandableTable } from "./expandable-table.js";
import { formatCount, sanitizeText } from "./format.js";
import { showCancelled, showContent, showEmpty, showError, showLoading } from "./panel.js";

export async function openTokenHoldings(view) {
  const { tab, address } = view.state;
  const cancellation = new AbortController();
  const signal = AbortSignal.any([view.signal, cancellation.signal]);
  showLoading(tab, view.keepRows, () => cancellation.abort());
  try {
    const { items, message } = await view.client.account.tokenList({ address }, { signal });
    if (view.signal.aborted) return;
    const notes = message ? [el("p", { class: "note" }, sanitizeText(message))] : [];
    if (items.length === 0) return showEmpty("No tokens", "This address holds no tokens.", notes);
    const table = createExpandableTable(tab, items, view.context);
    showContent(formatCount(items.length, "token holding"), ...notes, ...table);
  } catch (error) {
    if (view.signal.aborted) return;
    if (cancellation.signal.aborted) showCancelled([["Retry", view.reload]]);
    else showError(error, [["Retry", view.reload]]);
  }
}
