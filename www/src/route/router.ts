// Keeps the route of the page and the browser's history in step.
import { parseRoute, type Route, toHref } from "./route.js";

/** Reports each change of the route. Follows links within the site without reloading the page. */
export class Router {
  route: Route = parseRoute(location.search);
  readonly #onChange: (route: Route) => void;

  constructor(onChange: (route: Route) => void) {
    this.#onChange = onChange;
    // The page restores the position when its rows are back.
    history.scrollRestoration = "manual";
    addEventListener("popstate", () => this.#show(parseRoute(location.search)));
    document.addEventListener("click", (event) => this.#followLink(event));
  }

  /** URLs of the previously visited pages of the list. The history entry holds them, as they are too long for the URL. */
  get previous(): readonly string[] {
    const { previous } = (history.state ?? {}) as { previous?: unknown };
    return Array.isArray(previous) ? previous.filter((href) => typeof href === "string") : [];
  }

  /** Shows a route as a new entry of the history. */
  push(route: Route, previous: readonly string[] = []): void {
    if (toHref(route) === toHref(this.route)) return;
    history.pushState({ previous }, "", toHref(route));
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
