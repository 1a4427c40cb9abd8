// The token transfers of an address with infinite scroll and a filter: React and TanStack Query.
import { QueryClient, QueryClientProvider, useInfiniteQuery } from "@tanstack/react-query";
import { AddressClient, formatAmount, keyOf, type TokenStandardFilter } from "address-query";
import { createQueries } from "address-query/query";
import { useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";

const DEFAULT_ADDRESS = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
const address_hash = new URL(location.href).searchParams.get("address") ?? DEFAULT_ADDRESS;
const queries = createQueries(new AddressClient({ baseUrl: "https://eth.blockscout.com" }));

function Transfers() {
  const [type, setType] = useState<TokenStandardFilter[]>([]);
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    queries.addressTokenTransfers({ address_hash, type }),
  );
  const canFetchMore = hasNextPage && !isFetching && !error;
  const end = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!canFetchMore || end.current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) void fetchNextPage();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [canFetchMore, fetchNextPage]);
  const items = data?.pages.flatMap((page) => page.items) ?? [];
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
        {items.map((item) => (
          <li key={keyOf(item)}>
            {formatAmount(item)} {item.token?.symbol} <code>{item.transaction_hash}</code>
          </li>
        ))}
      </ol>
      {error && (
        <p role="alert">
          {error.message}{" "}
          <button type="button" onClick={() => fetchNextPage()}>
            Try again
          </button>
        </p>
      )}
      <p ref={end}>{isFetching ? "Loading…" : hasNextPage ? "" : "End of the list"}</p>
    </>
  );
}

createRoot(document.querySelector("#root") as HTMLElement).render(
  <QueryClientProvider client={new QueryClient()}>
    <Transfers />
  </QueryClientProvider>,
);
