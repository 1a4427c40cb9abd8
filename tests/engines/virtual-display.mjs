// Starts a virtual X11 display (Xvfb), for a browser that has no headless mode.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Returns { env, close() }: `env` holds the environment variables that make a browser use this display. */
export async function startVirtualDisplay(program) {
  const server = spawn(program, ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const terminate = () => server.kill("SIGTERM");
  process.once("exit", terminate);
  const exited = once(server, "exit").catch(() => {});
  // Xvfb writes the number of the display to file descriptor 3 when it is ready.
  const [displayNumber] = await Promise.race([once(server.stdio[3], "data"), exited.then(() => [])]);
  assert.ok(displayNumber, `${program} did not start`);
  return {
    // WebKit takes the `C` of a locale such as `C.UTF-8` for a language, which no `Intl` object accepts.
    env: { DISPLAY: `:${String(displayNumber).trim()}`, GDK_BACKEND: "x11", LC_ALL: "C" },
    close: async () => {
      terminate();
      await exited;
      process.off("exit", terminate);
    },
  };
}
