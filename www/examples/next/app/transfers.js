// The token transfers of an address with infinite scroll and a filter: Next.js, its proxy and TanStack Query.
"use client";

import { QueryClient, QueryClientProvider, useInfiniteQuery } from "@tanstack/react-query";
import { AddressClient, formatAmount, keyOf } from "address-query";
import { createQueries } from "address-query/query";
import { useEffect, useRef, useState } from "react";

const queryClient = new QueryClient();

export function Transfers({ address_hash }) {
  return (
    <QueryClientProvider client={queryClient}>
      <TransferList address_hash={address_hash} />
    </QueryClientProvider>
  );
}

// A path alone is relative to the page, and the key is on the server.
const queries = createQueries(new AddressClient({ baseUrl: "/api/blockscout", chainId: 1 }));

function TransferList({ address_hash }) {
  const [type, setType] = useState([]);
  const query = useInfiniteQuery(queries.addressTokenTransfers({ address_hash, type }));
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query;
  const canFetchMore = hasNextPage && !isFetching && !error;
  const end = useRef(null);
  useEffect(() => {
    if (!canFetchMore || end.current === null) return;
    const observer = new IntersectionObserver(([entry]) => entry.isIntersecting && fetchNextPage());
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [canFetchMore, fetchNextPage]);
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <label>
        Standard{" "}
        <select onChange={({ target }) => setType(target.value ? [target.value] : [])}>
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
