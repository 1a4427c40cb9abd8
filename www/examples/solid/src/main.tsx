// The token transfers of an address with infinite scroll and a filter: Solid and TanStack Query.
import { QueryClient, QueryClientProvider, useInfiniteQuery } from "@tanstack/solid-query";
import { AddressClient, formatAmount, type TokenStandardFilter } from "address-query";
import { createQueries } from "address-query/query";
import { createEffect, createSignal, For, onCleanup, Show } from "solid-js";
import { render } from "solid-js/web";

const DEFAULT_ADDRESS = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
const address_hash = new URL(location.href).searchParams.get("address") ?? DEFAULT_ADDRESS;
const queries = createQueries(new AddressClient({ baseUrl: "https://eth.blockscout.com" }));

function Transfers() {
  const [type, setType] = createSignal<TokenStandardFilter[]>([]);
  const query = useInfiniteQuery(() => queries.addressTokenTransfers({ address_hash, type: type() }));
  const items = () => query.data?.pages.flatMap((page) => page.items) ?? [];
  const [end, setEnd] = createSignal<HTMLElement>();
  createEffect(() => {
    const element = end();
    if (!element || !query.hasNextPage || query.isFetching || query.error) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void query.fetchNextPage();
    });
    observer.observe(element);
    onCleanup(() => observer.disconnect());
  });
  return (
    <>
      <label>
        Standard{" "}
        <select onChange={({ target }) => setType(target.value ? [target.value as TokenStandardFilter] : [])}>
          <option value="">All</option>
          <option>ERC-20</option>
          <option>ERC-721</option>
        </select>
      </label>
      <ol>
        <For each={items()}>
          {(item) => (
            <li>
              {formatAmount(item)} {item.token?.symbol} <code>{item.transaction_hash}</code>
            </li>
          )}
        </For>
      </ol>
      <Show when={query.error}>
        {(error) => (
          <p role="alert">
            {error().message}{" "}
            <button type="button" onClick={() => query.fetchNextPage()}>
              Try again
            </button>
          </p>
        )}
      </Show>
      <p ref={setEnd}>{query.isFetching ? "Loading…" : query.hasNextPage ? "" : "End of the list"}</p>
    </>
  );
}

render(
  () => (
    <QueryClientProvider client={new QueryClient()}>
      <Transfers />
    </QueryClientProvider>
  ),
  document.querySelector("#root") as HTMLElement,
);
