// The pages of the guide, in the order in which they are read.
import { readFileSync, readdirSync } from "node:fs";
import { breakAtCapitals } from "./tables.ts";

const GROUPS: Record<string, string[]> = {
  Start: ["index", "tutorial", "programs", "paginate", "errors", "retry", "names"],
  "One address": ["portfolio", "balances", "amounts", "history", "activities", "live-feed", "store"],
  "Complete data": ["block-ranges", "values", "export", "resumable-export", "estimate", "audit", "approvals"],
  "Chains and keys": ["chains", "proxy", "instance", "graphql", "look-up", "responses"],
  "In your app": ["tanstack-query", "react", "server-rendering", "entries", "workers", "rust", "testing", "security"],
  "Coming from": ["migrate-etherscan", "migrate-fetch", "migrate-ethers-viem", "migrate-providers", "comparison"],
  Background: ["how-it-works"],
  Reference: ["reference", "options", "records", "checked", "troubleshooting", "changelog"],
};

interface Group {
  text: string;
  items: { text: string; link: string }[];
}

/** Creates two sidebars from a folder of pages: one for methods, one for all other pages. Throws if a page is in no group. */
export function createSidebar(folder: URL): Record<string, Group[]> {
  const createItem = (name: string) => ({
    text: breakAtCapitals(readTitle(new URL(`${name}.md`, folder))),
    link: name === "index" ? "/" : `/${name}`,
  });
  const groups: Group[] = Object.entries(GROUPS).map(([text, names]) => ({ text, items: names.map(createItem) }));
  const grouped = new Set(Object.values(GROUPS).flat());
  const others = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replace(".md", ""))
    .filter((name) => !grouped.has(name))
    .sort();
  const types = others.filter((name) => name.startsWith("types-"));
  const methods = others.filter((name) => name.startsWith("api-"));
  const stray = others.filter((name) => !types.includes(name) && !methods.includes(name));
  if (stray.length > 0) throw new Error(`the sidebar lacks ${stray.join(", ")}`);
  const reference = groups.filter(({ text }) => text === "Reference");
  groups.push({ text: "Types", items: types.map(createItem) });
  return { "/api-": [...reference, { text: "Methods", items: methods.map(createItem) }], "/": groups };
}

function readTitle(page: URL): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(page, "utf8")) ?? [];
  if (title === undefined) throw new Error(`${page} has no title`);
  return title;
}
