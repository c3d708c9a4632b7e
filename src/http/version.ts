import fs from "node:fs";

/** Two folders up both from the sources and from the build. */
const manifest = new URL("../../package.json", import.meta.url);

/** Outdial's own version. */
export const VERSION: string = versionIn(JSON.parse(fs.readFileSync(manifest, "utf8")));

/** The header of every answer of the API to who may ask. */
export const VERSION_HEADER = "x-outdial-version";

/** By hand: whoever asks for the version alone shall not wait for a library of schemas. */
function versionIn(content: unknown): string {
  const isObject = typeof content === "object" && content !== null;
  if (isObject && "version" in content && typeof content.version === "string") return content.version;
  throw new Error(`${manifest.href} names no version`);
}
