// Uses the declarations of an example like an app: calls its functions, sends a request to its server, renders its component.
import type { Environment } from "./environment.ts";

/** The request that a visitor sends to a server with the proxy. */
const PROXY_URL = "https://app.example/api/blockscout/8453/api/v2/blocks";

/** What an example declares, and what it runs in. */
interface Declared {
  code: string;
  functions: Record<string, unknown>;
  exports: Record<string, unknown>;
  environment: Environment;
  show: (...values: unknown[]) => void;
  onRender: () => void;
  onError: (error: unknown) => void;
}

type Handler = (request: Request, env: object) => Promise<Response>;

export async function callDeclared(declared: Declared): Promise<void> {
  const { code, functions, environment, show } = declared;
  for (const [name, value] of Object.entries(functions)) {
    // A function that the example calls itself is named twice.
    const isCalled = code.split(new RegExp(`\\b${name}\\b`)).length > 2;
    if (typeof value !== "function" || value.length > 0 || isCalled || isForReact(name)) continue;
    show(`${name}() is called`);
    const result: unknown = await value();
    if (result !== undefined) show(result);
  }
  for (const handle of findHandlers(declared)) {
    const response = await handle(new Request(PROXY_URL), environment.env);
    const body = await response
      .clone()
      .json()
      .catch(() => response.text());
    show(`GET ${new URL(PROXY_URL).pathname} has status ${response.status}:`, body);
  }
  await environment.tests.run(show);
  await renderLast(declared);
}

const isForReact = (name: string) => /^([A-Z]|use[A-Z])/.test(name);

/** Finds the request handlers: exported ones, and the handlers of started servers. */
function findHandlers({ exports, environment }: Declared): Handler[] {
  const { GET, default: main } = exports;
  const fetch = (main as { fetch?: unknown } | undefined)?.fetch;
  const exported = [GET, fetch].filter((value): value is Handler => typeof value === "function");
  return [...exported, ...environment.served.map(({ handle }) => handle)];
}

/** Renders the last component, or what the last hook returns. */
async function renderLast({ functions, environment, onRender, onError }: Declared): Promise<void> {
  const [name, value] = Object.entries(functions).findLast(([name]) => isForReact(name)) ?? [];
  if (name === undefined || typeof value !== "function") return;
  const { renderComponent, renderHook } = await import("./render.ts");
  const render = name.startsWith("use") ? renderHook : renderComponent;
  await render(value as never, environment.address_hash, onError);
  onRender();
}
