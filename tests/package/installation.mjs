// The packed package, installed in an empty project.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PKG = fileURLToPath(new URL("../../pkg", import.meta.url));

let installation;

/**
 * Packs the package and installs the tarball, as a user does, once per process. Returns what npm says of the tarball, its path and
 * the folder of the project. All are removed when the process ends.
 */
export function installPackage() {
  installation ??= install();
  return installation;
}

function install() {
  const folder = mkdtempSync(join(tmpdir(), "address-query-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const [packed] = JSON.parse(run("npm", ["pack", PKG, "--json", "--pack-destination", folder], folder));
  const tarball = join(folder, packed.filename);
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], project);
  return { packed, tarball, project };
}

/** Runs a program; returns its standard output. An error includes its complete output. */
export function run(program, args, cwd) {
  try {
    return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new Error(`${program} ${args.join(" ")}\n${error.stdout}${error.stderr}`);
  }
}
