/** File systems take 255 bytes; `~12.yaml.part` stands behind it. */
const LONGEST_BYTES = 200;

/** A name for a document's file, which no other of these has: its kind, its brand and its name, as files may be called. */
export function fileNameOf(
  document: Readonly<Record<string, unknown>>,
  taken: ReadonlyMap<string, unknown>,
): string {
  const { kind, brand, name } = document;
  const parts = [kind, brand === "default" ? undefined : brand, name].filter(
    (part) => typeof part === "string",
  );
  const base = shortened(parts.map((part) => part.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")).join("-"));
  for (let nth = 1; ; nth += 1) {
    const file = nth === 1 ? `${base}.yaml` : `${base}~${nth}.yaml`;
    // Some file systems know no difference between capitals and others.
    if (![...taken.keys()].some((other) => other.toLowerCase() === file.toLowerCase())) return file;
  }
}

/** Cut between letters, not within one. */
function shortened(text: string): string {
  let bytes = 0;
  let kept = "";
  for (const letter of text) {
    bytes += Buffer.byteLength(letter);
    if (bytes > LONGEST_BYTES) return kept;
    kept += letter;
  }
  return kept;
}
