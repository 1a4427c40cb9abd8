// The state of the page that its URL holds: reload, back, forward and shared links restore it.

export interface Route {
  /** The service: "" for sample data, `mainnet` for a known chain, `gateway:1` for the gateway, or the base URL of an instance. */
  source: string;
  /** The address on display, or "" for the start page. */
  address: string;
  /** Id of the tab. "" means the first one. */
  tab: string;
  /** The filters of the tab, as the user entered them. */
  filters: Readonly<Record<string, string>>;
  /** Page number, from 1. Always 1 in endless lists. */
  page: number;
  /** Continues the list at this page. Null on page 1. */
  resume: string | null;
}

const RESERVED = new Set(["source", "address", "tab", "page", "resume"]);

export function parseRoute(search: string): Route {
  const query = new URLSearchParams(search);
  const resume = query.get("resume");
  const page = Number.parseInt(query.get("page") ?? "", 10);
  return {
    source: query.get("source") ?? "",
    address: query.get("address")?.trim() ?? "",
    tab: query.get("tab") ?? "",
    filters: Object.fromEntries([...query].filter(([name, value]) => !RESERVED.has(name) && value !== "")),
    page: resume === null ? 1 : Math.max(2, page || 2),
    resume,
  };
}

/** Returns a relative URL. Defaults are left out, to keep links short. */
export function toHref({ source, address, tab, filters, page, resume }: Route): string {
  const query = new URLSearchParams();
  if (address) query.set("address", address);
  if (tab) query.set("tab", tab);
  if (source) query.set("source", source);
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  if (resume !== null) {
    query.set("page", String(page));
    query.set("resume", resume);
  }
  return `?${query}`;
}

/** The first page of a tab without filters. */
export const toTab = (route: Route, tab: string): Route => ({ ...route, tab, filters: {}, page: 1, resume: null });

/** The same tab of another address. */
export const toAddress = (route: Route, address: string): Route => ({ ...toTab(route, route.tab), address });

export const toFirstPage = (route: Route): Route => ({ ...route, page: 1, resume: null });

/** The first page with other filters. */
export const toFilters = (route: Route, filters: Record<string, string>): Route => ({ ...toFirstPage(route), filters });
