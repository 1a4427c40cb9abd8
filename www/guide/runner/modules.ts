// The modules that an example can import.
import type { Environment } from "./environment.ts";
import { createServerModules } from "./servers.ts";

const MODULES: Record<string, () => Promise<object>> = {
  "address-query": () => import("address-query"),
  "address-query/external": () => import("address-query/external"),
  "address-query/slim": () => import("address-query/slim"),
  "address-query/compat": () => import("address-query/compat"),
  "address-query/chains": () => import("address-query/chains"),
  "address-query/approvals": () => import("address-query/approvals"),
  "address-query/estimate": () => import("address-query/estimate"),
  "address-query/history": () => import("address-query/history"),
  "address-query/names": () => import("address-query/names"),
  "address-query/portfolio": () => import("address-query/portfolio"),
  "address-query/proxy": () => import("address-query/proxy"),
  "address-query/proxy/node": () => import("address-query/proxy/node"),
  "address-query/query": () => import("address-query/query"),
  "address-query/store": async () => (await import("./store-modules.ts")).store,
  "address-query/testing": () => import("address-query/testing"),
  "address-query/client.wasm": async () => {
    const { default: url } = await import("address-query/client.wasm?url");
    return { default: await WebAssembly.compileStreaming(fetch(url)) };
  },
  react: () => import("react"),
  "react/jsx-runtime": () => import("react/jsx-runtime"),
  "@tanstack/react-query": () => import("@tanstack/react-query"),
  "@testing-library/react": async () => (await import("./render-in-tests.ts")).testingLibrary,
};

/** Loads modules; returns them by name. What an example declares by them is added to its environment. */
export async function loadModules(
  names: string[],
  { served, tests }: Environment,
  show: (...values: unknown[]) => void,
): Promise<Record<string, unknown>> {
  const modules: Record<string, unknown> = {
    ...createServerModules(served),
    vitest: tests.module,
  };
  for (const name of names) {
    if (name in modules) continue;
    const load =
      name === "address-query/store/node"
        ? async () => (await import("./store-modules.ts")).createNodeStore(show)
        : MODULES[name];
    if (!load) throw new Error(`cannot import ${name}: the page has ${Object.keys(MODULES).join(", ")}`);
    // The mark is for default imports.
    modules[name] = { __esModule: true, ...(await load()) };
  }
  return modules;
}
