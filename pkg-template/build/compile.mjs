// Compiles the crate to a small WebAssembly module.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";

// Limits on optimisations that duplicate code. Together they save 11.6 KB of brotli. `make bench` measured no loss of speed.
const LIMITS = [
  "-inline-threshold=5",
  "-unroll-threshold=20",
  "-unroll-runtime=false",
  "-unroll-allow-partial=false",
  "-rotation-max-header-size=0",
  "-disable-lsr",
  "-enable-pre=false",
  "-enable-load-pre=false",
].map((limit) => `-Cllvm-args=${limit}`);

// Unstable options save 10.9 KB of brotli of 89.2 KB. Panics trap without a message, even in the standard library, which is
// therefore compiled from source. RUSTC_BOOTSTRAP allows the options in the pinned compiler (rust-toolchain.toml).
const UNSTABLE = {
  flags: ["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none", "-Zinline-mir=no"],
  options: ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"],
  variables: { RUSTC_BOOTSTRAP: "1" },
};
const STABLE = { flags: ["-Cpanic=abort"], options: [], variables: {} };

/** Compiles the library with a feature, and further options of cargo. Without the unstable options, the module is larger and works the same. */
export function compile(root, feature, more = []) {
  const obstacle = findObstacle();
  if (obstacle) console.log(`The package becomes 11 KB larger (brotli), because ${obstacle}. Do not publish it.`);
  const { flags, options, variables } = obstacle ? STABLE : UNSTABLE;
  const args = ["build", "--release", "--lib", "--features", feature, "--target", "wasm32-unknown-unknown", ...options, ...more];
  const CARGO_ENCODED_RUSTFLAGS = [...flags, ...LIMITS].join("\x1f");
  execFileSync("cargo", args, { cwd: root, stdio: "inherit", env: { ...env, ...variables, CARGO_ENCODED_RUSTFLAGS } });
}

/** Returns why the unstable options cannot be used, or undefined. */
export function findObstacle() {
  if (env.ADDRESS_QUERY_STABLE) return "ADDRESS_QUERY_STABLE is set";
  const sysroot = execFileSync("rustc", ["--print=sysroot"], { encoding: "utf8" }).trim();
  if (!existsSync(join(sysroot, "lib/rustlib/src/rust/library/Cargo.lock"))) return "the component rust-src is not installed";
  try {
    execFileSync("rustc", [...UNSTABLE.flags, "--print=cfg"], { stdio: "ignore", env: { ...env, ...UNSTABLE.variables } });
  } catch {
    return "this compiler does not support the unstable options";
  }
}
