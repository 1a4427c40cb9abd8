// React with TanStack Query: an infinite query over a list.
import assert from "node:assert/strict";
import { join } from "node:path";
import { build as esbuild } from "esbuild";

const HTML = '<!doctype html><meta charset="utf-8"><title>consumer</title><div id="root"></div><script type="module" src="main.js"></script>';
// The hook is the example in the package's README.
const APP = `
  import { QueryClient, QueryClientProvider, useInfiniteQuery } from "@tanstack/react-query";
  import { AddressClient } from "address-query";
  import { createRoot } from "react-dom/client";

  const baseUrl = new URL(location.href).searchParams.get("service");
  const client = new AddressClient({ baseUrl });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });

  function useTransfers() {
    return useInfiniteQuery({
      queryKey: ["transfers"],
      queryFn: ({ pageParam, signal }) => client.tokenTransfers({}, { resume: pageParam, signal }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.resumeToken,
    });
  }

  const keyOf = ({ transaction_hash, log_index }) => transaction_hash + " " + log_index;

  let shown;
  function Transfers() {
    shown = useTransfers();
    if (shown.isError) return <p>{String(shown.error)}</p>;
    if (shown.isPending) return <p>…</p>;
    return (
      <>
        <ol>{shown.data.pages.flatMap(({ items }) => items).map((row) => <li key={keyOf(row)}>{keyOf(row)}</li>)}</ol>
        <button onClick={() => shown.fetchNextPage()} disabled={!shown.hasNextPage || shown.isFetchingNextPage}>more</button>
      </>
    );
  }

  const root = createRoot(document.getElementById("root"));
  root.render(<QueryClientProvider client={queries}><Transfers /></QueryClientProvider>);
  globalThis.app = {
    data: () => shown.data,
    refetch: () => shown.refetch(),
    unmount: () => root.unmount(),
    wrong: () => queries.fetchQuery({ queryKey: ["wrong"], queryFn: () => client.addressLogs({ address_hash: "0x12" }) }),
  };`;

export const consumers = [{ name: "React, TanStack Query", run: react }];

async function react(workshop) {
  const project = workshop.project("react", { "main.jsx": APP, "dist/index.html": HTML });
  const define = { "process.env.NODE_ENV": '"production"' };
  await esbuild({ absWorkingDir: project, entryPoints: ["main.jsx"], bundle: true, format: "esm", jsx: "automatic", define, outdir: "dist" });
  const { url } = await workshop.serve(join(project, "dist"));
  const context = await (await workshop.browser()).newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const [first, second] = workshop.expected.pages;

    await page.goto(workshop.asking(url));
    await page.getByRole("listitem").nth(first.length - 1).waitFor();
    await page.getByRole("button").click();
    await page.getByRole("listitem").nth(first.length + second.length - 1).waitFor();
    const rows = await page.getByRole("listitem").allTextContents();

    assert.deepEqual(await page.evaluate(sharing), {
      params: ["undefined", "string"],
      cloned: true,
      parsed: true,
      unchanged: true,
      changed: [2],
    });
    const error = await page.evaluate(() => app.wrong().catch((error) => error.code));
    assert.equal(await page.evaluate(abandoning), "aborted");
    return { pages: [rows.slice(0, first.length), rows.slice(first.length)], error };
  } finally {
    await context.close();
  }
}

/** Runs in the page: reads everything again, the same and then with one value changed; → which rows are new objects. */
async function sharing() {
  const rows = ({ pages }) => pages.flatMap(({ items }) => items);
  const before = app.data();
  const text = JSON.stringify(before);
  const found = {
    params: before.pageParams.map((token) => typeof token),
    cloned: JSON.stringify(structuredClone(before)) === text,
    parsed: JSON.stringify(JSON.parse(text)) === text,
  };

  found.unchanged = (await app.refetch()).data === before;

  const { fetch } = globalThis;
  globalThis.fetch = async (request) => {
    const page = await (await fetch(request)).json();
    if (!new URL(request.url).search) page.items[2].method = "changed";
    return Response.json(page);
  };
  const { data } = await app.refetch();
  globalThis.fetch = fetch;
  found.changed = rows(data).flatMap((row, at) => (row === rows(before)[at] ? [] : [at]));
  return found;
}

/** Runs in the page: what becomes of a fetch when nobody shows the list any more. */
async function abandoning() {
  const sent = Promise.withResolvers();
  globalThis.fetch = ({ signal }) => new Promise(() => sent.resolve(signal));
  app.refetch();
  const signal = await sent.promise;
  const ended = new Promise((resolve) => signal.addEventListener("abort", () => resolve("aborted")));
  app.unmount();
  return Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000, "still under way"))]);
}
