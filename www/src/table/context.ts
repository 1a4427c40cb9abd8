// The context that the shell passes to a tab, and the tab to the cells of its table.
import type { Route } from "../route/route.js";
import type { Coin, Service } from "../service/service.js";

/** What cells need to know beyond their record. */
export interface CellContext {
  route: Route;
  coin: Coin;
  /** Null: not known. */
  chainId: number | null;
  /** Whether times are shown as ages ("3 min. ago") or as dates. */
  times: "relative" | "absolute";
}

/** The context that the shell passes to the current tab. */
export interface TabContext {
  service: Service;
  route: Route;
  cells: CellContext;
  /** URLs of the previously visited pages of the list, page 1 first. A shared link has none. */
  previous: readonly string[];
  /** Shows a route. `previous` are the pages before it, for a page of a list. */
  navigate: (route: Route, previous?: readonly string[]) => void;
}
