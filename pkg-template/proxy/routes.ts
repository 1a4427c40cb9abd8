// The requests that the proxy forwards: the generated table (table.js) and the option `allow`.
import { refuse } from "./refusal.js";
import { cacheable, graphql, rpc, uncacheable } from "./table.js";

/** The most parameters of a request. A client sends at most 12. */
const MAX_PARAMS = 24;

/** A request that is forwarded. */
export interface Route {
  readonly method: string;
  /** Matches the path below the base path. The group `chain` is the id of the chain. */
  readonly path: RegExp;
  /** The query parameters, with the value that each must have, if any. The name `*` stands for the keys of a cursor. */
  readonly params: URLSearchParams;
  readonly isCacheable: boolean;
  /** What the body must have: a query or calls of a client, or any JSON. */
  readonly body: "graphql" | "rpc" | "any";
}

/** Parses a line such as `POST /{chain_id}/api?module=account&action`. Returns undefined if it is malformed. */
export function parseRoute(line: string, isCacheable = false, body: Route["body"] = "any"): Route | undefined {
  const match = /^(POST )?(\/[^?#\s]*)\??([^?#\s]*)$/.exec(line);
  if (!match) return undefined;
  const [, post, path = "", query] = match;
  // A segment in braces cannot be `.` or `..`, and has no encoded characters.
  const pattern = path
    .replace(/[^\w/{}-]/g, "\\$&")
    .replace("{chain_id}", "(?<chain>\\d+)")
    .replace(/\{\w*\}/g, "\\w[\\w.-]*");
  return {
    method: post ? "POST" : "GET",
    path: new RegExp(`^${pattern}$`),
    params: new URLSearchParams(query),
    isCacheable,
    body,
  };
}

/** The routes of the package and of the option `allow`. */
export function createRoutes(allow: readonly string[]): Route[] {
  const expand = (table: string, isCacheable: boolean) =>
    table
      .split(" ")
      .map((line) =>
        parseRoute(`/{chain_id}/api${line.replace(/^=/, "?module=account&action=").replace(/^\//, "/v2/")}`, isCacheable),
      );
  return [
    ...expand(cacheable, true),
    ...expand(uncacheable, false),
    parseRoute(graphql, false, "graphql"),
    parseRoute(rpc, false, "rpc"),
    ...allow.map((line) => parseRoute(line)),
  ] as Route[];
}

/** Finds the routes of a request. Throws the refusal if there is none. */
export function findRoutes(routes: readonly Route[], method: string, path: string, query: URLSearchParams): Route[] {
  const names = [...query.keys()];
  const found = routes.filter(
    (route) => route.path.test(path) && [...route.params].every(([name, value]) => !value || query.get(name) === value),
  );
  if (!found[0]) throw refuse(404, "this path; see option allow");
  const methods = found.map((route) => route.method);
  if (!methods.includes(method)) throw refuse(405, "this method", { allow: methods.join() });
  let other: string | undefined;
  const accepting = found.filter((route) => {
    if (route.method !== method) return false;
    other = names.find((name, index) => !accepts(route, name) || names.indexOf(name) < index || index >= MAX_PARAMS);
    return other === undefined;
  });
  if (!accepting[0]) throw refuse(400, `the parameter ${other} here, or more than once`);
  return accepting;
}

/** Whether a route has a parameter. The service chooses the keys of a cursor, but an API key is none. */
const accepts = ({ params }: Route, name: string): boolean =>
  params.has(name) || (params.has("*") && /^(?!apikey$)[\w[\]]{1,64}$/i.test(name));
