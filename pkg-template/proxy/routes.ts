// The requests that the proxy forwards: lines of the generated table (proxy-table.js), and those of the option `allow`.
import { refuse } from "./refusal.js";

/** A request that is forwarded. */
export interface Route {
  readonly method: string;
  /** Matches the path below the base path. The group `chain` is the id of the chain. */
  readonly path: RegExp;
  /** The query parameters, with the value that each must have, if any. The name `*` stands for the keys of a cursor. */
  readonly params: ReadonlyMap<string, string | undefined>;
  readonly isCacheable: boolean;
  /** The GraphQL queries that the body may have. Undefined: any JSON. */
  readonly queries?: readonly string[] | undefined;
}

/** Parses a line such as `POST /{chain_id}/api?module=account&action`. Returns undefined if it is malformed. */
export function parseRoute(line: string, isCacheable = false, queries?: readonly string[]): Route | undefined {
  const match = /^(POST )?(\/[^?#\s]*)\??([^?#\s]*)$/.exec(line);
  if (!match) return undefined;
  const [, post, path = "", query = ""] = match;
  // A segment in braces cannot be `.` or `..`, and has no encoded characters.
  const pattern = path.split(/(\{\w+\})/).map((part) => {
    if (part === "{chain_id}") return "(?<chain>\\d+)";
    return part.startsWith("{") ? "\\w[\\w.-]*" : part.replace(/[^\w/-]/g, "\\$&");
  });
  const params = Array.from(query.matchAll(/([^&=]+)(?:=([^&]*))?/g), ([, name = "", value]) => [name, value] as const);
  return {
    method: post ? "POST" : "GET",
    path: new RegExp(`^${pattern.join("")}$`),
    params: new Map(params),
    isCacheable,
    queries,
  };
}

/** Finds the routes of a request. Throws the refusal if there is none. */
export function findRoutes(routes: readonly Route[], method: string, path: string, query: URLSearchParams): Route[] {
  const names = [...query.keys()];
  const found = routes.filter(
    (route) =>
      route.path.test(path) && [...route.params].every(([name, value]) => value === undefined || query.get(name) === value),
  );
  if (found.length === 0) throw refuse(404, "this path; the option `allow` adds paths");
  const methods = found.map((route) => route.method);
  if (!methods.includes(method)) throw refuse(405, "this method", { allow: methods.join(", ") });
  const findOther = (route: Route) => names.find((name, index) => !accepts(route, name) || names.indexOf(name) !== index);
  const accepting = found.filter((route) => route.method === method && findOther(route) === undefined);
  if (accepting.length === 0) throw refuse(400, `the parameter ${found.map(findOther)[0]} here, or more than once`);
  return accepting;
}

/** Whether a route has a parameter. The service chooses the keys of a cursor, but an API key is none. */
function accepts({ params }: Route, name: string): boolean {
  return params.has(name) || (params.has("*") && /^(?!apikey$)[\w[\]]+$/i.test(name));
}
