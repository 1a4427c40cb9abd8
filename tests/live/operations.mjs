// Every operation of the package, derived from its declarations: the name that a client has for it, its path, its parameters, and
// whether it is a list.
import { readFileSync } from "node:fs";

const declarations = readFileSync(new URL("../../pkg/endpoints.d.ts", import.meta.url), "utf8");

export const OPERATIONS = Array.from(
  declarations.matchAll(/`(?:GET|POST) (\/api\S*)`((?:(?!\*\/)[^])*)\*\/\s+(?:readonly )?(\w+)/g),
  ([, path, example]) => {
    const [, name, params = ""] = /client\.([\w.]+)\((?:\{ ([^}]*) \})?/.exec(example);
    return { name, path, params: params.split(", ").filter(Boolean), isList: example.includes("for await (const item of") };
  },
);

/** Calls an operation of a client. */
export function call(client, { name }, params, options) {
  const [group, method] = name.split(".");
  return method === undefined ? client[group](params, options) : client[group][method](params, options);
}

/** The folder of the operation's responses, as `make conformance` names it. */
export function getFolder({ name, path }) {
  const action = /[?&]action=(\w+)/.exec(path)?.[1];
  return action ? `rpc/${action}` : `rest/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
