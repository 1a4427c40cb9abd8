// The base class of the elements that show a search for approvals.
import type { PropertyValues } from "lit";
import { property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import type { TabContext } from "../table/context.js";
import { type ApprovalsSearch, getSearch } from "./search.js";

/** Re-renders when the search for the approvals of the current address changes. */
export abstract class ApprovalsElement extends PageElement {
  @property({ attribute: false }) context!: TabContext;
  protected search!: ApprovalsSearch;
  private readonly onChange = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    this.search?.retain(this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.search?.release(this.onChange);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("context")) return;
    const { service, route } = this.context;
    const search = getSearch(service.client, route.address);
    if (search === this.search) return;
    this.search?.release(this.onChange);
    this.search = search;
    search.retain(this.onChange);
  }

  protected readonly start = (): void => void this.search.start();
  protected readonly cancel = (): void => this.search.cancel();
}
