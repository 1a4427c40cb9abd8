// The view of a REST list: one page of it, and the pager.
import { showCancelled, showError, showLoading, showPage, showPager } from "./results.js";
import { parametersOf } from "./lists.js";
import { firstPage, hasPreviousPage, nextPage, previousPage } from "./state.js";

export async function openPage(visit) {
  const { state, context, turn } = visit;
  const { list, address, filters, at, page: pageNumber } = state;
  const own = new AbortController();
  const signal = AbortSignal.any([visit.signal, own.signal]);
  const retry = ["Retry", visit.reload];
  const startOver = ["Go to the first page", () => turn(firstPage(state))];
  const actions = at ? [retry, startOver] : [retry];
  showLoading(list, visit.keepRows, () => own.abort());
  const started = performance.now();
  try {
    const options = { signal, ...(at ? { resume: at } : {}) };
    const page = await visit.client[list.method](parametersOf(list, address, filters), options);
    if (visit.signal.aborted) return; // another view took over meanwhile
    const milliseconds = performance.now() - started;
    showPage(list, page, context, { pageNumber, milliseconds, hasMore: page.resumeToken !== null });
    showPager(pageNumber, {
      first: pageNumber > 1 ? () => turn(firstPage(state)) : null,
      previous: hasPreviousPage(state) ? () => turn(previousPage(state)) : null,
      next: page.resumeToken === null ? null : () => turn(nextPage(state, page.resumeToken)),
    });
  } catch (error) {
    if (visit.signal.aborted) return;
    if (own.signal.aborted) showCancelled(actions);
    else showError(error, actions);
  }
}
