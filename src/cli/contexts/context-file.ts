import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { httpUrl } from "../../settings/setting.ts";

/*
 * The file of contexts: systems by their names, each with its address and where its token comes from. It may hold
 * tokens, so it is its owner's alone: one that others could read, or that somebody else wrote, is refused and not
 * used with a warning. It is written whole or not at all.
 */

const text = z.string().min(1).max(4_096);

const contextSchema = z.strictObject({
  url: httpUrl,
  /** One of three, or none. */
  token: text.optional(),
  token_file: text.optional(),
  token_command: text.optional(),
  ca_file: text.optional(),
  brand: text.optional(),
  protected: z.boolean().optional(),
});

/** What is written down of a system. */
export type Context = z.output<typeof contextSchema>;

export const CONTEXT_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

const fileSchema = z.strictObject({
  /** Where nothing else is said. */
  current: z.string().optional(),
  contexts: z.record(z.string().regex(CONTEXT_NAME), contextSchema),
});

export type ContextFile = z.output<typeof fileSchema>;

/** A file that is not there has none. @throws CliError where it can't be trusted or read */
export function readContexts(file: string): ContextFile {
  let content: string;
  try {
    const handle = fs.openSync(file, "r");
    try {
      // Of what was opened, not of what may stand there a moment later.
      refuseOthers(file, fs.fstatSync(handle));
      content = fs.readFileSync(handle, "utf8");
    } finally {
      fs.closeSync(handle);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { contexts: {} };
    throw error;
  }
  const parsed = fileSchema.safeParse(jsonIn(content));
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map((issue) => issue.path.join(".") || "the file");
  // Not the values: one of them may be a token.
  throw unusable(
    file,
    `is no file of contexts (${[...new Set(where)].join(", ")})`,
    "correct it, or move it away",
  );
}

function refuseOthers(file: string, { mode, uid }: fs.Stats): void {
  if (process.platform === "win32") return;
  const own = process.getuid?.();
  if (own !== undefined && uid !== own) throw unusable(file, "is another user's", "run this as its owner");
  if ((mode & 0o077) !== 0)
    throw unusable(file, "can be read by others, and may hold tokens", `run \`chmod 600 '${file}'\``);
}

function jsonIn(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function unusable(file: string, what: string, remedy: string): CliError {
  return new CliError(
    `${file} ${what}: ${remedy}; or name the system itself with OUTDIAL_API_URL or --data-dir`,
    EXIT.badInput,
    { code: "contexts_unusable" },
  );
}

/** Reads, changes and writes the file. What another command writes in the same moment may be lost, never half of it. */
export function changeContexts(file: string, change: (found: ContextFile) => ContextFile): ContextFile {
  const changed = change(readContexts(file));
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}.new`;
  try {
    fs.writeFileSync(fresh, `${JSON.stringify(changed, undefined, 2)}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
    fs.renameSync(fresh, file);
  } finally {
    fs.rmSync(fresh, { force: true });
  }
  return changed;
}
