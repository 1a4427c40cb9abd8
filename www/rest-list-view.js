// Shows one page of a REST list and the pagination.
import { hasPreviousPage, toFirstPage, toNextPage, toPreviousPage } from "./page-state.js";
import { showCancelled, showError, showLoading, showPage, showPagination } from "./panel.js";
import { toParameters } from "./rest-lists.js";

export async function openRestList(view) {
  const { state, context, navigate } = view;
  const { tab, address, filters, resumeToken, page: pageNumber } = state;
  const cancellation = new AbortController();
  const signal = AbortSignal.any([view.signal, cancellation.signal]);
  const retry = ["Retry", view.reload];
  const restart = ["Go to first page", () => navigate(toFirstPage(state))];
  const actions = resumeToken ? [retry, restart] : [retry];
  showLoading(tab, view.keepRows, () => cancellation.abort());
  try {
    const options = { signal, ...(resumeToken ? { resume: resumeToken } : {}) };
    const page = await view.client[tab.clientMethod](toParameters(tab, address, filters), options);
    if (view.signal.aborted) return;
    const nextToken = page.resumeToken;
    showPage(tab, page, context, pageNumber);
    showPagination(pageNumber, {
      goToFirst: pageNumber > 1 ? () => navigate(toFirstPage(state)) : null,
      goToPrevious: hasPreviousPage(state) ? () => navigate(toPreviousPage(state)) : null,
      goToNext: nextToken === null ? null : () => navigate(toNextPage(state, nextToken)),
    });
  } catch (error) {
    if (view.signal.aborted) return;
    if (cancellation.signal.aborted) showCancelled(actions);
    else showError(error, actions);
  }
}
