// React with TanStack Query: an infinite query over a list, with structural sharing and cancellation.
import assert from "node:assert/strict";
import { join } from "node:path";
import { build as esbuild } from "esbuild";

const HTML =
  '<!doctype html><meta charset="utf-8"><title>consumer</title><div id="root"></div><script type="module" src="main.js"></script>';
// The hook is the example in the package's README.
const APP = `
  import { QueryClient, QueryClientProvider, useInfiniteQuery } from "@tanstack/react-query";
  import { AddressClient } from "address-query";
  import { createQueries } from "address-query/query";
  import { createRoot } from "react-dom/client";

  const baseUrl = new URL(location.href).searchParams.get("service");
  const client = new AddressClient({ baseUrl });
  const queries = createQueries(client);
  const queryClient = new QueryClient();

  function useTransfers() {
    return useInfiniteQuery(queries.tokenTransfers());
  }

  const keyOf = ({ transaction_hash, log_index }) => transaction_hash + " " + log_index;

  let query;
  function Transfers() {
    query = useTransfers();
    if (query.isError) return <p>{String(query.error)}</p>;
    if (query.isPending) return <p>…</p>;
    return (
      <>
        <ol>{query.data.pages.flatMap(({ items }) => items).map((row) => <li key={keyOf(row)}>{keyOf(row)}</li>)}</ol>
        <button onClick={() => query.fetchNextPage()} disabled={!query.hasNextPage || query.isFetchingNextPage}>Load more</button>
      </>
    );
  }

  const root = createRoot(document.getElementById("root"));
  root.render(<QueryClientProvider client={queryClient}><Transfers /></QueryClientProvider>);
  globalThis.app = {
    data: () => query.data,
    refetch: () => query.refetch(),
    unmount: () => root.unmount(),
    fail: () => queryClient.fetchInfiniteQuery(queries.addressLogs({ address_hash: "0x12" })),
  };`;

export const consumers = [{ name: "React, TanStack Query", run: runReact }];

async function runReact(harness) {
  const project = harness.createProject("react", { "main.jsx": APP, "dist/index.html": HTML });
  const define = { "process.env.NODE_ENV": '"production"' };
  await esbuild({
    absWorkingDir: project,
    entryPoints: ["main.jsx"],
    bundle: true,
    format: "esm",
    jsx: "automatic",
    define,
    outdir: "dist",
  });
  const { url } = await harness.serveFolder(join(project, "dist"));
  const context = await (await harness.getBrowser()).newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const [first, second] = harness.expected.pages;

    await page.goto(harness.addServiceParameter(url));
    await page
      .getByRole("listitem")
      .nth(first.length - 1)
      .waitFor();
    await page.getByRole("button").click();
    await page
      .getByRole("listitem")
      .nth(first.length + second.length - 1)
      .waitFor();
    const rows = await page.getByRole("listitem").allTextContents();

    assert.deepEqual(await page.evaluate(checkStructuralSharing), {
      pageParams: ["object", "string"],
      survivesClone: true,
      survivesJson: true,
      sameAfterRefetch: true,
      changedRows: [2],
    });
    const error = await page.evaluate(() => globalThis.app.fail().catch((error) => error.code));
    assert.equal(await page.evaluate(checkCancellation), "aborted");
    return { pages: [rows.slice(0, first.length), rows.slice(first.length)], error };
  } finally {
    await context.close();
  }
}

/** Runs in the page: refetches all pages, unchanged and with one changed value. Only the changed row may be a new object. */
async function checkStructuralSharing() {
  const getRows = ({ pages }) => pages.flatMap(({ items }) => items);
  const before = globalThis.app.data();
  const json = JSON.stringify(before);
  const result = {
    pageParams: before.pageParams.map((token) => typeof token),
    survivesClone: JSON.stringify(structuredClone(before)) === json,
    survivesJson: JSON.stringify(JSON.parse(json)) === json,
  };

  result.sameAfterRefetch = (await globalThis.app.refetch()).data === before;

  const { fetch } = globalThis;
  globalThis.fetch = async (request) => {
    const page = await (await fetch(request)).json();
    if (!new URL(request.url).search) page.items[2].method = "changed";
    return Response.json(page);
  };
  const { data } = await globalThis.app.refetch();
  globalThis.fetch = fetch;
  result.changedRows = getRows(data).flatMap((row, i) => (row === getRows(before)[i] ? [] : [i]));
  return result;
}

/** Runs in the page: unmounts the component during a request; returns "aborted" if that aborts the request. */
async function checkCancellation() {
  const pendingSignal = Promise.withResolvers();
  globalThis.fetch = ({ signal }) => new Promise(() => pendingSignal.resolve(signal));
  globalThis.app.refetch();
  const signal = await pendingSignal.promise;
  const aborted = new Promise((resolve) => signal.addEventListener("abort", () => resolve("aborted")));
  globalThis.app.unmount();
  return Promise.race([aborted, new Promise((resolve) => setTimeout(resolve, 5000, "still in flight"))]);
}
