// A display that nobody sees, for a browser that cannot do without one.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts Xvfb on a display of its own choice. → { env, close() } */
export async function startDisplay(program) {
  const server = spawn(program, ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const end = () => server.kill("SIGTERM");
  process.once("exit", end);
  const ended = once(server, "exit").catch(() => {});
  // It tells the number once it is ready, or closes the pipe as it ends.
  const [number] = await Promise.race([once(server.stdio[3], "data"), ended.then(() => [])]);
  assert.ok(number, `${program} did not start`);
  return {
    env: { DISPLAY: `:${String(number).trim()}`, GDK_BACKEND: "x11" },
    close: async () => {
      end();
      await ended;
      process.off("exit", end);
    },
  };
}
