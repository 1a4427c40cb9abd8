// The token transfers of an address with infinite scroll and a filter: Angular and TanStack Query.
import { Component, computed, type ElementRef, effect, signal, viewChild } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { injectInfiniteQuery, provideTanStackQuery, QueryClient } from "@tanstack/angular-query-experimental";
import { AddressClient, formatAmount, keyOf, type TokenStandardFilter } from "address-query";
import { createQueries } from "address-query/query";

const DEFAULT_ADDRESS = "0x00000000219ab540356cBB839Cbe05303d7705Fa";
const address_hash = new URL(location.href).searchParams.get("address") ?? DEFAULT_ADDRESS;
const queries = createQueries(new AddressClient({ baseUrl: "https://eth.blockscout.com" }));

@Component({
  selector: "app-transfers",
  template: `
    <label>
      Standard
      <select #select (change)="setStandard(select.value)">
        <option value="">All</option>
        <option>ERC-20</option>
        <option>ERC-721</option>
      </select>
    </label>
    <ol>
      @for (item of items(); track keyOf(item)) {
        <li>{{ formatAmount(item) }} {{ item.token?.symbol }} <code>{{ item.transaction_hash }}</code></li>
      }
    </ol>
    @if (query.error(); as error) {
      <p role="alert">{{ error.message }} <button type="button" (click)="query.fetchNextPage()">Try again</button></p>
    }
    <p #end>{{ query.isFetching() ? "Loading…" : query.hasNextPage() ? "" : "End of the list" }}</p>
  `,
})
class Transfers {
  readonly formatAmount = formatAmount;
  readonly keyOf = keyOf;
  readonly type = signal<TokenStandardFilter[]>([]);
  readonly query = injectInfiniteQuery(() => queries.addressTokenTransfers({ address_hash, type: this.type() }));
  readonly items = computed(() => this.query.data()?.pages.flatMap((page) => page.items) ?? []);
  readonly end = viewChild.required<ElementRef<HTMLElement>>("end");

  constructor() {
    effect((onCleanup) => {
      if (!this.query.hasNextPage() || this.query.isFetching() || this.query.error()) return;
      const observer = new IntersectionObserver(([entry]) => {
        if (entry?.isIntersecting) void this.query.fetchNextPage();
      });
      observer.observe(this.end().nativeElement);
      onCleanup(() => observer.disconnect());
    });
  }

  setStandard(standard: string) {
    this.type.set(standard ? [standard as TokenStandardFilter] : []);
  }
}

void bootstrapApplication(Transfers, { providers: [provideTanStackQuery(new QueryClient())] });
