// Next.js: a client component with a static import, and a server component, built and started with nothing configured.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { execPath } from "node:process";
import { ENVIRONMENT, HERE, tool } from "./workshop.mjs";

const NEXT = "next/dist/bin/next";

const files = {
  // Its own folder is not where the lock file lies; nothing else is configured.
  "next.config.mjs": `export default { outputFileTracingRoot: ${JSON.stringify(HERE)}, turbopack: { root: ${JSON.stringify(HERE)} } };`,
  "app/layout.js": `
    export default function Layout({ children }) {
      return <html lang="en"><body>{children}</body></html>;
    }`,
  "app/page.js": `
    import * as entry from "address-query";
    import { outcome } from "../use.js";
    import { Here } from "./here.js";

    export default async function Page({ searchParams }) {
      const { service } = await searchParams;
      return <Here service={service} server={JSON.stringify(await outcome(entry, service))} />;
    }`,
  "app/here.js": `
    "use client";
    import * as entry from "address-query";
    import { useEffect } from "react";
    import { outcome } from "../use.js";

    export function Here({ service, server }) {
      useEffect(() => {
        const both = async () => {
          const here = await outcome(entry, service);
          return JSON.stringify(here) === server ? here : { failed: "server: " + server + " here: " + JSON.stringify(here) };
        };
        globalThis.outcome = both();
      }, [service, server]);
      return <p>{server}</p>;
    }`,
};

async function built(workshop, name, options) {
  const project = workshop.project(name, files);
  await tool(NEXT, ["build", ...options], project);
  const server = spawn(execPath, [join(HERE, "node_modules", NEXT), "start", "--port", "0", "--hostname", "127.0.0.1"], {
    cwd: project,
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    return await workshop.visit(await addressOf(server));
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

/** The address that the server says it listens on. */
async function addressOf(server) {
  let said = "";
  for await (const chunk of server.stdout) {
    said += chunk;
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    if (address && said.includes("Ready")) return `${address}/`;
  }
  throw new Error(`next start: ${said}`);
}

export const consumers = [
  { name: "Next.js, Turbopack, client and server", run: (workshop) => built(workshop, "next-turbopack", []) },
  { name: "Next.js, webpack, client and server", run: (workshop) => built(workshop, "next-webpack", ["--webpack"]) },
];
