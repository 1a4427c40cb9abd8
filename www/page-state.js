// The state of the page. The URL and history.state store it, so that reload, back, forward and shared links restore it.
//
// {
//   source: "" for sample data, or the base URL of an instance
//   tab: the selected tab
//   address: the address searched for, or ""
//   filters: { [name]: string or strings }
//   page: page number, from 1
//   resumeToken: token of this page, or null on page 1
//   previousTokens: tokens of the pages before this one, from page 1 (whose token is null)
// }
//
// `previousTokens` and long filters are stored in history.state, because they are too long for a URL.
// A shared link therefore cannot go to the previous page, only forward and to the first page.
import { defaultTab, findTab } from "./sections.js";

/** Longer filters are left out of the URL, because servers reject long URLs. */
const MAX_FILTER_LENGTH_IN_URL = 4000;

export function readState() {
  const query = new URLSearchParams(location.search);
  const tab = findTab(query.get("tab")) ?? defaultTab;
  const resumeToken = query.get("resume") || null;
  return {
    source: query.get("source") ?? "",
    tab,
    address: query.get("address") ?? "",
    filters: { ...readFilters(tab, query), ...history.state?.longFilters },
    page: resumeToken ? Math.max(2, Number.parseInt(query.get("page"), 10) || 2) : 1,
    resumeToken,
    previousTokens: resumeToken && Array.isArray(history.state?.previousTokens) ? history.state.previousTokens : [],
  };
}

function readFilters(tab, query) {
  const filters = {};
  for (const { name, kind } of tab.filters) {
    const value = query.get(name);
    if (value) filters[name] = kind === "checkboxes" ? value.split(",") : value;
  }
  return filters;
}

/** Returns a relative URL for the state. Default values are omitted to keep links short. */
export function toUrl(state, maxFilterLength = MAX_FILTER_LENGTH_IN_URL) {
  const query = new URLSearchParams({ tab: state.tab.id });
  if (state.address) query.set("address", state.address);
  if (state.source) query.set("source", state.source);
  for (const [name, value] of Object.entries(state.filters)) {
    if (value.length > 0 && value.length <= maxFilterLength) query.set(name, String(value));
  }
  if (state.resumeToken) {
    query.set("page", String(state.page));
    query.set("resume", state.resumeToken);
  }
  return `?${query}`;
}

export const isSameState = (a, b) => toUrl(a, Infinity) === toUrl(b, Infinity);

/** Returns the part of the state that is too long for the URL. */
function toHistoryState({ previousTokens, filters }) {
  const longFilters = Object.entries(filters).filter(([, value]) => value.length > MAX_FILTER_LENGTH_IN_URL);
  return { previousTokens, longFilters: Object.fromEntries(longFilters) };
}

export function pushState(state) {
  history.pushState(toHistoryState(state), "", toUrl(state));
}

/** For values that the page fills in itself: with pushState, Back would return to the bare URL and be redirected again. */
export function replaceState(state) {
  history.replaceState(toHistoryState(state), "", toUrl(state));
}

export const toFirstPage = (state) => ({ ...state, page: 1, resumeToken: null, previousTokens: [] });

export const toNextPage = (state, resumeToken) => ({
  ...state,
  page: state.page + 1,
  resumeToken,
  previousTokens: [...state.previousTokens, state.resumeToken],
});

export const hasPreviousPage = (state) => state.previousTokens.length > 0;

export const toPreviousPage = (state) => ({
  ...state,
  page: state.page - 1,
  resumeToken: state.previousTokens.at(-1),
  previousTokens: state.previousTokens.slice(0, -1),
});
