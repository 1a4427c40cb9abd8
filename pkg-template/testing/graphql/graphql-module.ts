// GraphQL at /api/v1/graphql: reads the query of a request, and responds as the service does.

import { type DocumentNode, parse } from "graphql";
import { AccountSerializer } from "../account/account-serializer.js";
import { ApiError } from "../api-error.js";
import type { Chain } from "../ledger/chain.js";
import type { Settings } from "../settings.js";
import { type Arguments, executeQuery, type ObjectType, type QueryResponse } from "./execute.js";
import { createRootType } from "./schema.js";

const DISABLED = "GraphQL API is disabled.";

/** Responds to GraphQL requests. */
export class GraphqlModule {
  readonly #root: ObjectType;
  readonly #maxComplexity: number;

  /** A maximum complexity of 0 disables GraphQL. */
  constructor(chain: Chain, settings: Pick<Settings, "backendVersion" | "graphqlMaxComplexity" | "statesL1Fee">) {
    this.#root = createRootType(new AccountSerializer(chain, settings));
    this.#maxComplexity = settings.graphqlMaxComplexity;
  }

  /** Returns the response to a request with this body, and the cursor in the request. */
  respond(body: string): { readonly json: QueryResponse; readonly graphqlCursor: unknown } {
    const { query, variables } = parseBody(body);
    return { json: this.#execute(query, variables), graphqlCursor: variables.after };
  }

  #execute(query: string, variables: Arguments): QueryResponse {
    let document: DocumentNode;
    try {
      document = parse(query);
    } catch (error) {
      return { errors: [{ message: (error as Error).message }] };
    }
    const operation = document.definitions.find((node) => node.kind === "OperationDefinition");
    if (operation?.operation !== "query") return { errors: [{ message: "Only queries are supported." }] };
    if (this.#maxComplexity === 0) return createDisabledResponse(operation.selectionSet.selections);
    const fragments = new Map(
      document.definitions.flatMap((node) => (node.kind === "FragmentDefinition" ? [[node.name.value, node] as const] : [])),
    );
    return executeQuery({ operation, fragments, variables }, this.#root, this.#maxComplexity);
  }
}

function parseBody(body: string): { query: string; variables: Arguments } {
  const parsed: unknown = JSON.parse(body || "null");
  if (Array.isArray(parsed)) throw new ApiError(400, { errors: [{ message: "Max batch size is 1" }] });
  const { query, variables = {} } = Object(parsed);
  if (typeof query !== "string") throw new ApiError(400, { errors: [{ message: "No query document supplied" }] });
  return { query, variables: variables ?? {} };
}

/** Every top-level field is null, with the same error. */
function createDisabledResponse(selections: readonly { readonly kind: string; readonly name?: unknown }[]): QueryResponse {
  const names = selections.map(({ name }) => (name as { value: string } | undefined)?.value ?? "");
  return {
    data: Object.fromEntries(names.map((name) => [name, null])),
    errors: names.map((name) => ({ message: DISABLED, path: [name] })),
  };
}
