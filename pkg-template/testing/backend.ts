// The backend of an instance in one version: finds the interface for a request, and creates the response.

import { createAccountModule } from "./account/account-module.js";
import { createGraphql } from "./graphql/graphql-module.js";
import type { SampleRoute } from "./public-types.js";
import { ApiError, createFixedError, type ResponseDraft } from "./responses.js";
import { createRest } from "./rest/rest-module.js";
import { createRpc } from "./rpc/rpc-module.js";
import type { Instance } from "./settings.js";

const MAX_QUERY_LENGTH = 5000;

/** Whether a request is for the account module or the block module. */
export const isAccountModuleRequest = ({ url }: Request) => isAccountModulePath(getApiPath(new URL(url).pathname));

/** The part of a path after its last `/api`, or "" if there is none. */
const getApiPath = (pathname: string) => /^.*\/api(\/.*)?$/.exec(pathname)?.[1] ?? "";
const isAccountModulePath = (path: string) => /^(\/v1)?\/?$/.test(path);

export function createBackend(instance: Instance) {
  const { chain, settings } = instance;
  chain.firstTracedBlock = settings.firstTracedBlock;
  const [rest, account] = [createRest(instance), createAccountModule(instance)];
  const [respondToGraphql, respondToRpc] = [createGraphql(instance), createRpc(instance)];
  const createJson = async (request: Request, { pathname, searchParams }: URL): Promise<ResponseDraft> => {
    const path = getApiPath(pathname);
    if (isAccountModulePath(path)) return { status: 200, json: account.respond(await readParameters(request, searchParams)) };
    if (path === "/eth-rpc" && request.method === "POST") return { status: 200, json: respondToRpc(await request.text()) };
    if (path === "/v1/graphql") return { status: 200, ...respondToGraphql(await request.text()) };
    if (!path.startsWith("/v2")) throw createFixedError("notFound");
    if (request.method !== "GET") throw createFixedError("unknownAction");
    const showScam = request.headers.get("show-scam-tokens") === "true";
    const draft = { status: 200, ...rest.respond(path.slice("/v2".length).replace(/\/$/, ""), searchParams, showScam) };
    const items = draft.page && settings.unservedRecords.length > 0 ? JSON.stringify(draft.page.items) : "";
    if (settings.unservedRecords.some((text) => items.includes(text))) throw createFixedError("unservedPage");
    return draft;
  };
  return {
    rest,
    account,
    async createDraft(request: Request): Promise<ResponseDraft> {
      const url = new URL(request.url);
      if (url.search.length > MAX_QUERY_LENGTH) {
        return { status: 414, body: "<html><h1>414 Request-URI Too Large</h1></html>", headers: { "content-type": "text/html" } };
      }
      const route = Object.entries(settings.routes).find(([path]) => url.pathname.endsWith(path));
      if (route) return createRouteDraft(route[1], request);
      return createJson(request, url).catch((error) => {
        if (!(error instanceof ApiError)) throw error;
        return { status: error.status, json: error.body, headers: error.headers };
      });
    },
  };
}

async function createRouteDraft(route: SampleRoute, request: Request): Promise<ResponseDraft> {
  const result: unknown = typeof route === "function" ? await route(request) : route;
  if (!(result instanceof Response)) return { status: 200, json: result ?? null };
  return { status: result.status, body: await result.text(), headers: Object.fromEntries(result.headers) };
}

/** Reads the parameters of an account module request, which may be in its query, in a form or in a JSON body. */
async function readParameters(request: Request, searchParams: URLSearchParams): Promise<[string, string][]> {
  const body = request.method === "POST" ? await request.text() : "";
  const isJson = request.headers.get("content-type")?.includes("json");
  const entries = isJson && body ? Object.entries<string>(JSON.parse(body)) : new URLSearchParams(body);
  return [...searchParams, ...entries];
}
