// Next.js consumers: a client and a server component that import the package, without any configuration for it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { execPath } from "node:process";
import { ENVIRONMENT, HERE, runTool } from "./harness.mjs";

/** The program, below `node_modules`. */
export const NEXT = "next/dist/bin/next";

/** The configuration and layout of a project. */
export const baseFiles = {
  // The lock file is in another folder than the project. Nothing else is configured.
  "next.config.mjs": `export default { outputFileTracingRoot: ${JSON.stringify(HERE)}, turbopack: { root: ${JSON.stringify(HERE)} } };`,
  "app/layout.js": `
    export default function Layout({ children }) {
      return <html lang="en"><body>{children}</body></html>;
    }`,
};

const files = {
  ...baseFiles,
  "app/page.js": `
    import * as entry from "address-query";
    import { tryScenario } from "../scenario.js";
    import { ClientScenario } from "./client-scenario.js";

    export default async function Page({ searchParams }) {
      const { service } = await searchParams;
      return <ClientScenario service={service} serverResult={JSON.stringify(await tryScenario(entry, service))} />;
    }`,
  "app/client-scenario.js": `
    "use client";
    import * as entry from "address-query";
    import { useEffect } from "react";
    import { tryScenario } from "../scenario.js";

    export function ClientScenario({ service, serverResult }) {
      useEffect(() => {
        const runAndCompare = async () => {
          const result = await tryScenario(entry, service);
          const clientResult = JSON.stringify(result);
          return clientResult === serverResult ? result : { failed: "server: " + serverResult + " client: " + clientResult };
        };
        globalThis.scenarioResult = runAndCompare();
      }, [service, serverResult]);
      return <p>{serverResult}</p>;
    }`,
};

/** Builds and starts the project; opens its page. */
const buildAndRun = (harness, name, options) => runProject(harness.createProject(name, files), options, harness.runInPage);

/** Builds and starts a project; returns the result of `use`, which is called with its URL. */
export async function runProject(project, options, use, env = {}) {
  await runTool(NEXT, ["build", ...options], project);
  const server = spawn(execPath, [join(HERE, "node_modules", NEXT), "start", "--port", "0", "--hostname", "127.0.0.1"], {
    cwd: project,
    env: { ...ENVIRONMENT, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    return await use(await waitForUrl(server));
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

/** Waits until the server is ready; returns the URL that it prints. */
async function waitForUrl(server) {
  let output = "";
  for await (const chunk of server.stdout) {
    output += chunk;
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
    if (url && output.includes("Ready")) return `${url}/`;
  }
  throw new Error(`next start ended before it was ready: ${output}`);
}

export const consumers = [
  { name: "Next.js, Turbopack, client and server", run: (harness) => buildAndRun(harness, "next-turbopack", []) },
  { name: "Next.js, webpack, client and server", run: (harness) => buildAndRun(harness, "next-webpack", ["--webpack"]) },
];
