// The lists and lookups of the REST API, derived from the declarations of the package.
import { readFileSync } from "node:fs";

const declarations = readFileSync(new URL("../../pkg/endpoints.d.ts", import.meta.url), "utf8");

/** Every operation: method, path relative to `/api/v2`, and whether it returns a list or a single record. */
const operations = Array.from(
  declarations.matchAll(/`GET \/api\/v2(\S*)`(?:(?!\*\/)[^])*\*\/\s+(\w+)\([^)]*\): (ListCall|Promise)</g),
  ([, path, method, result]) => ({ method, path, isList: result === "ListCall" }),
);

export const LISTS = operations.filter(({ isList }) => isList);
export const LOOKUPS = operations.filter(({ isList }) => !isList);

/** Returns the parameters that a path needs, and the path with their values. */
export function fillPath(path, values) {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
  const params = Object.fromEntries(names.map((name) => [name, values[name]]));
  return { params, path: names.reduce((filled, name) => filled.replace(`{${name}}`, values[name]), path) };
}
