// Keeps the route of the page and the browser's history in step.
import { parseRoute, type Route, toHref } from "./route.js";

/** Reports each change of the route. Links of the page are followed without loading the page again. */
export class Router {
  route: Route = parseRoute(location.search);
  readonly #onChange: (route: Route) => void;

  constructor(onChange: (route: Route) => void) {
    this.#onChange = onChange;
    // The page restores the position itself, after its rows are back.
    history.scrollRestoration = "manual";
    addEventListener("popstate", () => this.#show(parseRoute(location.search)));
    document.addEventListener("click", (event) => this.#followLink(event));
  }

  /** Shows a route as a new entry of the history. */
  push(route: Route): void {
    if (toHref(route) === toHref(this.route)) return;
    history.pushState(null, "", toHref(route));
    this.#show(route);
  }

  /** Shows a route in place of the current one, so that Back does not return to it. */
  replace(route: Route): void {
    history.replaceState(null, "", toHref(route));
    this.#show(route);
  }

  #show(route: Route): void {
    this.route = route;
    this.#onChange(route);
  }

  #followLink(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || !link.getAttribute("href")?.startsWith("?")) return;
    event.preventDefault();
    this.push(parseRoute(link.search));
  }
}
