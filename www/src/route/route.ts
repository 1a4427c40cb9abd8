// The state of the page in its URL. Reload, back, forward and shared links restore it.

export interface Route {
  /** The service: "" for sample data, `mainnet` for a known chain, `gateway:1` for the gateway, or the base URL of an instance. */
  source: string;
  /** The current address, or "" for another page. */
  address: string;
  /** Several addresses as one account, as `accounts/accounts.ts` parses them, or "". */
  accounts: string;
  /** Id of the page that shows one transaction, token or block. "" for an address and the start page. */
  show: string;
  /** What that page shows: a hash or a number, as the user entered it. */
  id: string;
  /** Id of the tab. "" means the first one. */
  tab: string;
  /** The filters of the tab, as the user entered them. */
  filters: Readonly<Record<string, string>>;
  /** Page number, from 1. Always 1 in endless lists. */
  page: number;
  /** Continues the list at this page. Null on page 1. */
  resume: string | null;
}

const RESERVED = new Set(["source", "address", "accounts", "show", "id", "tab", "page", "resume"]);

export function parseRoute(search: string): Route {
  const query = new URLSearchParams(search);
  const resume = query.get("resume");
  const page = Number.parseInt(query.get("page") ?? "", 10);
  return {
    source: query.get("source") ?? "",
    address: query.get("address")?.trim() ?? "",
    accounts: query.get("accounts") ?? "",
    show: query.get("show") ?? "",
    id: query.get("id")?.trim() ?? "",
    tab: query.get("tab") ?? "",
    filters: Object.fromEntries([...query].filter(([name, value]) => !RESERVED.has(name) && value !== "")),
    page: resume === null ? 1 : Math.max(2, page || 2),
    resume,
  };
}

/** Returns a relative URL. Defaults are left out, to keep links short. */
export function toHref({ filters, page, resume, ...members }: Route): string {
  const query = new URLSearchParams();
  for (const name of ["address", "accounts", "show", "id", "tab", "source"] as const)
    if (members[name]) query.set(name, members[name]);
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
  if (resume !== null) {
    query.set("page", String(page));
    query.set("resume", resume);
  }
  return `?${query}`;
}

/** The first page of a tab without filters. */
export const toTab = (route: Route, tab: string): Route => ({ ...route, tab, filters: {}, page: 1, resume: null });

/** The subject of the page: the address, the accounts, or what `id` names. */
export const toSubject = ({ address, accounts, id }: Route): string => address || accounts || id;

/** The route of an address. From one address to another, it keeps the tab. */
export const toAddress = (route: Route, address: string): Route => ({
  ...toTab(route, route.show ? "" : route.tab),
  address,
  accounts: "",
  show: "",
  id: "",
});

/** The route of several accounts as one. It keeps the tab of other accounts. */
export const toAccounts = (route: Route, accounts: string): Route => ({
  ...toAddress(route, ""),
  tab: route.accounts ? route.tab : "",
  accounts,
});

/** The page of a transaction, token or block. */
export const toPage = (route: Route, show: string, id: string): Route => ({
  ...toTab(route, ""),
  address: "",
  accounts: "",
  show,
  id,
});

export const toFirstPage = (route: Route): Route => ({ ...route, page: 1, resume: null });

/** The first page with other filters. */
export const toFilters = (route: Route, filters: Record<string, string>): Route => ({ ...toFirstPage(route), filters });
