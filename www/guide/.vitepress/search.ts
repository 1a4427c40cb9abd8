// The search of the guide: pages of tasks come first, and are found by the words that people type.
import type { DefaultTheme } from "vitepress";

type Render = NonNullable<DefaultTheme.LocalSearchOptions["_render"]>;

/** Synonyms for the subject of a page. */
const KEYWORDS: Record<string, string> = {
  amounts: "wei gwei ether units decimals number format currency convert",
  approvals: "allowance allowances spender revoke permit",
  audit: "reconcile verify balance",
  balances: "multiple wallets many addresses balance",
  "block-ranges": "10000 limit all transactions complete txlist",
  chains: "several chains multichain multi chain polygon base optimism arbitrum network networks",
  entries: "bundler vite webpack wasm import preload performance",
  errors: "cancel abort timeout catch exception AbortController",
  estimate: "cost price credits how long",
  export: "csv excel spreadsheet tax download accounting file",
  graphql: "graphql query",
  history: "swap swaps swap history trades activity timeline everything",
  "how-it-works": "architecture internals rust wasm",
  instance: "status indexing version self-hosted own instance",
  "live-feed": "reorg reorganisation real time realtime websocket subscribe poll watch notifications",
  "look-up": "ens ens name domain resolve search contract abi source code",
  names: "null missing snake case timestamp date field",
  paginate: "pagination next page next page next page page cursor infinite scroll load more offset limit",
  portfolio: "nft nfts nft images holdings tokens erc-721 erc-20 wallet price",
  programs: "examples templates recipes whole complete",
  proxy: "cors api key secret backend server hide",
  react: "hook component useEffect useState",
  "resumable-export": "resume continue reload kill crash indexeddb background download",
  retry: "429 rate limit rate limits too many requests throttle backoff cache caching",
  security: "csp content security policy xss untrusted scam",
  "server-rendering": "ssr nextjs next.js nuxt sveltekit hydrate prerender",
  store: "offline indexeddb database persist local copy cache sync encrypt storage private mode quota",
  "tanstack-query": "react query cache caching invalidate infinite vue svelte solid",
  testing: "test mock offline without network fake sample vitest jest",
  tutorial: "getting started start begin first page beginner vite",
  rust: "rust leptos yew dioxus crate cargo",
  workers: "cloudflare worker edge deno bun lambda react native",
};

/** Renders a page for the search. The record and the response of a method are left out: the page of all records has them. */
export const renderForSearch: Render = (source, env, markdown) => {
  const name = env.relativePath.replace(".md", "");
  const html = markdown.render(name.startsWith("api-") ? source.replace(/(?<=^```\n)\n## [^]*/m, "") : source, env);
  const keywords = `${KEYWORDS[name] ?? ""} `;
  // Repeated words count more.
  return html.replace("</h1>", `</h1>${keywords.repeat(8)}`);
};
