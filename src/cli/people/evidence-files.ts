import { createHash } from "node:crypto";
import fs from "node:fs";

import type { StoryWire } from "../../http/wire/people.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { storyPage, type EvidenceFile } from "./story-page.ts";

/**
 * Writes a story as two files of one name: the page for people, which names the digest of the other, and the document
 * for programs. Only their owner may read them; what is there already is not touched, and half of the two is not left.
 */
export async function writeEvidence(story: StoryWire, name: string): Promise<EvidenceFile[]> {
  const base = name.replace(/\.(?:html|json)$/i, "");
  const json = `${JSON.stringify(story, undefined, 2)}\n`;
  const document = { path: `${base}.json`, sha256: sha256(json) };
  const html = storyPage(story, document);
  const page = { path: `${base}.html`, sha256: sha256(html) };
  await writeFresh(page.path, html);
  try {
    await writeFresh(document.path, json);
  } catch (error) {
    await fs.promises.rm(page.path, { force: true });
    throw error;
  }
  return [page, document];
}

async function writeFresh(path: string, text: string): Promise<void> {
  const handle = await fs.promises.open(path, "wx", 0o600).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    throw new CliError(
      `${path} is there already, and evidence is never written over: name another file with --output, or remove it`,
      EXIT.badInput,
    );
  });
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await fs.promises.rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
