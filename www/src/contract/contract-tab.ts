// The contract at an address: how it was verified and compiled, its implementations, its source code and its ABI.
import { type AddressClient, isAddressQueryError, type SmartContract } from "address-query";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { readShared } from "../address/shared-reading.js";
import { PageElement } from "../components/element.js";
import { errorBox } from "../components/error-box.js";
import { Reading } from "../components/reading.js";
import { rowsSkeleton } from "../components/skeleton.js";
import { copyButton } from "../table/cells.js";
import type { TabContext } from "../table/context.js";
import { abiGroups } from "./abi.js";
import { contractFacts, creationFacts, twinNote } from "./contract-facts.js";
import { factGroup } from "../facts/fact-group.js";
import type { SourceFile } from "./source-view.js";
import "./source-view.js";
import "./contract.css";

/** Null: no contract. */
const readContract = (client: AddressClient, address_hash: string): Promise<SmartContract | null> =>
  client.smartContract({ address_hash }).then(
    (contract) => contract,
    (error: unknown) => {
      if (isAddressQueryError(error) && error.status === 404) return null;
      throw error;
    },
  );

@customElement("aq-contract-tab")
export class ContractTab extends PageElement {
  @property({ attribute: false }) context!: TabContext;

  private readonly contract = new Reading(this, {
    args: () => [this.context.service.client, this.context.route.address] as const,
    task: ([client, address]) => readShared(client, address, readContract),
  });
  /** The same array for the same contract, so that the view keeps its file. */
  private sources: readonly SourceFile[] = [];
  private sourcesOf: SmartContract | null = null;

  protected override render(): unknown {
    return this.contract.render({
      initial: () => rowsSkeleton,
      pending: () => rowsSkeleton,
      complete: (contract) => (contract ? this.renderContract(contract) : noContract),
      error: (error) => errorBox(error, () => void this.contract.run()),
    });
  }

  private renderContract(contract: SmartContract): TemplateResult {
    const { context } = this;
    if (contract !== this.sourcesOf) {
      this.sourcesOf = contract;
      this.sources = toSources(contract);
    }
    const { abi } = contract;
    return html`${twinNote(contract, context.cells)}
      <div class="fact-groups">${contractFacts(contract, context.cells).map(factGroup)}</div>
      ${
        this.sources.length > 0
          ? html`<section class="card contract-part" aria-label="Source code"><h2>Source code</h2><aq-source-view .sources=${this.sources}></aq-source-view></section>`
          : html`<p class="empty contract-part">The source code of this contract is not verified.</p>`
      }
      ${
        abi.length > 0
          ? html`<h2 class="abi-title">ABI ${copyButton(JSON.stringify(abi), "ABI")}</h2><div class="fact-groups">${abiGroups(abi)}</div>`
          : nothing
      }
      <div class="fact-groups contract-part">${factGroup(creationFacts(contract))}</div>`;
  }
}

const noContract = html`<div class="empty"><h2>Not a contract</h2><p>This address has no code: a wallet, or a contract that has destroyed itself.</p></div>`;

/** The main file first. */
const toSources = ({ source_code, file_path, name, additional_sources }: SmartContract): SourceFile[] => [
  ...(source_code === null ? [] : [{ path: file_path ?? name ?? "Contract", code: source_code }]),
  ...additional_sources.map((file, index) => ({ path: file.file_path ?? `File ${index + 2}`, code: file.source_code ?? "" })),
];
