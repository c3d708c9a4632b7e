// The workflows as one file, made ready by the build: a worker that had to bundle them would need a compiler and
// many seconds at each start.
import fs from "node:fs";
import path from "node:path";

const INLINED_MAP = /^(\/\/# sourceMappingURL=data:application\/json[^,]*;base64,)(\S+)/m;

/** Writes the bundle of a build, and beside it the licenses of what is in it that is not ours. */
export async function bundleWorkflows({ root, folder, onError }) {
  const { bundleWorkflowCode } = await import("@temporalio/worker");
  const silent = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error: onError };
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(folder, "workflows/index.js"),
    logger: silent,
  });
  let sources = [];
  // Where it was built is nobody's business, and the same sources shall make the same file everywhere.
  const portable = code.replace(INLINED_MAP, (_whole, prefix, encoded) => {
    const map = Buffer.from(encoded, "base64").toString("utf8").replaceAll(`${root}/`, "");
    ({ sources } = JSON.parse(map));
    return `${prefix}${Buffer.from(map).toString("base64")}`;
  });
  if (sources.length === 0) throw new Error("the bundle of the workflows has no source map: what is in it?");
  fs.writeFileSync(path.join(folder, "workflow-bundle.js"), portable);
  const licenses = licensesOf(root, { bundle: "workflow-bundle.js", sources });
  fs.writeFileSync(path.join(folder, "workflow-bundle.licenses.txt"), licenses);
}

/** The licenses of the packages that a bundle's sources, by their paths from the root, are of. */
export function licensesOf(root, { bundle, sources }) {
  // What was left out is named, too, as "ignored|...".
  const folders = sources.flatMap(
    (source) => /^[^|]*node_modules\/(?:@[^/]+\/)?[^/|]+/.exec(source)?.[0] ?? [],
  );
  const texts = [...new Set(folders)].map((place) => {
    const folder = path.join(root, place);
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    const files = fs.readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
    // What is in the public domain asks for no text beside it.
    if (files.length === 0 && license !== "Unlicense")
      throw new Error(`${name} is in ${bundle} and has no license file`);
    const words = files.sort().map((file) => fs.readFileSync(path.join(folder, file), "utf8").trim());
    return [`${name} ${version} (${license})`, ...words].join("\n\n");
  });
  texts.sort((one, other) => one.localeCompare(other));
  return `${bundle} contains parts of these packages.\n\n${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
