// What the page shows, as a value, and its place in the URL: everything a reload or a shared link must restore.
//
// { source: "" for the sample data or a base URL, list, address, filters: {name: text or texts},
//   page: number, at: resume token of this page or null, trail: tokens of the pages before it }
//
// The trail is too long for a URL, so it travels in history.state: it survives reload, back and forward. A shared link
// comes without it and can go forward and to the first page. A long list of pasted addresses travels the same way.
import { firstTab, tabById } from "./areas.js";

/** Longer filters stay out of the URL: servers refuse long ones. */
const LONGEST_IN_URL = 4000;

export function readState() {
  const query = new URLSearchParams(location.search);
  const list = tabById(query.get("tab")) ?? firstTab;
  const at = query.get("at") || null;
  return {
    source: query.get("source") ?? "",
    list,
    address: query.get("address") ?? "",
    filters: { ...readFilters(list, query), ...history.state?.long },
    page: at ? Math.max(2, Number.parseInt(query.get("page"), 10) || 2) : 1,
    at,
    trail: at && Array.isArray(history.state?.trail) ? history.state.trail : [],
  };
}

function readFilters(list, query) {
  const filters = {};
  for (const { name, kind } of list.filters) {
    const text = query.get(name);
    if (text) filters[name] = kind === "several" ? text.split(",") : text;
  }
  return filters;
}

/** A relative URL for the state; defaults are left out so that links stay short. */
export function urlOf(state, longest = LONGEST_IN_URL) {
  const query = new URLSearchParams({ tab: state.list.id });
  if (state.address) query.set("address", state.address);
  if (state.source) query.set("source", state.source);
  for (const [name, value] of Object.entries(state.filters)) {
    if (value.length > 0 && value.length <= longest) query.set(name, String(value));
  }
  if (state.at) {
    query.set("page", String(state.page));
    query.set("at", state.at);
  }
  return `?${query}`;
}

export const isSame = (one, other) => urlOf(one, Infinity) === urlOf(other, Infinity);

/** What is too long for the URL. */
function besides({ trail, filters }) {
  const long = Object.entries(filters).filter(([, value]) => value.length > LONGEST_IN_URL);
  return { trail, long: Object.fromEntries(long) };
}

export function pushState(state) {
  history.pushState(besides(state), "", urlOf(state));
}

/** For what the page fills in by itself: the visitor's Back must not return to the bare URL and be sent on again. */
export function replaceState(state) {
  history.replaceState(besides(state), "", urlOf(state));
}

export const firstPage = (state) => ({ ...state, page: 1, at: null, trail: [] });

export const nextPage = (state, token) => ({
  ...state,
  page: state.page + 1,
  at: token,
  trail: [...state.trail, state.at],
});

export const hasPreviousPage = (state) => state.trail.length > 0;

export const previousPage = (state) => ({
  ...state,
  page: state.page - 1,
  at: state.trail.at(-1),
  trail: state.trail.slice(0, -1),
});
