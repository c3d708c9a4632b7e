import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Transform, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { reasonWords } from "../../domain/ground/reason-words.ts";
import type { PersonCallPageWire } from "../../http/wire/people/calls.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { ApiProblemError } from "../api/errors.ts";
import type { Api } from "../api/client.ts";

/*
 * What the platform holds of a person, into a folder: `calls.json` with each call's record, transcript and analysis
 * included, and a file of sound for each recording. One at a time, each as long and as large as the API hands out.
 *
 * 1. The folder is new, or empty: nothing that is there is taken for the person's, or written over.
 * 2. A file has its name once it is there whole. What can't be fetched is named with why, and the rest is fetched.
 */

/** What became of one call. */
interface TakenCall {
  call_id: string;
  direction: string;
  /** Null: the platform has no record of it, or not any more. */
  record: unknown;
  /** Null: there is none, or it could not be fetched. */
  recording: { file: string; bytes: number; sha256: string } | null;
  /** Why a recording that there is is not there. */
  problem: string | null;
}

export interface TakenCalls {
  calls: number;
  /** The platform has none of them any more. */
  gone: number;
  recordings: number;
  /** Recordings that there are, and that could not be fetched. */
  failed: number;
}

/** @throws CliError where the folder is none that may be written into. */
export async function writeCalls(
  api: Pick<Api, "people">,
  { number, defaultRegion, folder }: { number: string; defaultRegion: string | undefined; folder: string },
): Promise<TakenCalls> {
  await openFolder(folder);
  const region = { default_region: defaultRegion };
  const taken: TakenCall[] = [];
  let page: PersonCallPageWire | undefined;
  do {
    const after = page?.next_after ?? undefined;
    page = await api.people.calls(number, { ...region, after });
    for (const { call_id: callId, direction, record, has_recording: hasRecording } of page.items) {
      const kept = hasRecording
        ? await keep(folder, `recording-${taken.length + 1}`, () =>
            api.people.recording(number, callId, region),
          )
        : { recording: null, problem: null };
      taken.push({ call_id: callId, direction, record, ...kept });
    }
  } while (page.next_after !== null);
  await writeWhole(
    folder,
    "calls.json",
    `${JSON.stringify({ phone: page.phone, calls: taken }, undefined, 2)}\n`,
  );
  return {
    calls: taken.length,
    gone: taken.filter(({ record }) => record === null).length,
    recordings: taken.filter(({ recording }) => recording !== null).length,
    failed: taken.filter(({ problem }) => problem !== null).length,
  };
}

async function openFolder(folder: string): Promise<void> {
  try {
    await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await fs.promises.readdir(folder)).length === 0) return;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "no folder";
    throw new CliError(
      `${folder} can't be made a folder to write into (${code}): name another one with --recordings`,
      EXIT.badInput,
    );
  }
  throw new CliError(
    `${folder} is not empty, and nothing in it is written over: name a new folder with --recordings`,
    EXIT.badInput,
  );
}

/** Files are numbered: ids are the platform's, and may be no names of files. */
async function keep(
  folder: string,
  name: string,
  open: () => Promise<Readable>,
): Promise<Pick<TakenCall, "recording" | "problem">> {
  const partial = path.join(folder, `.${name}.part`);
  try {
    const body = await open();
    const hash = createHash("sha256");
    let bytes = 0;
    let head = Buffer.alloc(0);
    const counting = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        hash.update(chunk);
        if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
        done(null, chunk);
      },
    });
    await pipeline(body, counting, fs.createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true }));
    const file = `${name}.${extensionOf(head)}`;
    await fs.promises.rename(partial, path.join(folder, file));
    return { recording: { file, bytes, sha256: hash.digest("hex") }, problem: null };
  } catch (error) {
    await fs.promises.rm(partial, { force: true });
    // Without room, or without the right to write, no other comes either.
    const disk = diskProblem(error);
    if (disk !== undefined)
      throw new CliError(
        `${folder} can't be written (${disk}): make room or see to its rights, and give the command again with a new folder`,
        EXIT.failed,
      );
    const isGone = error instanceof ApiProblemError && error.status === 404;
    return {
      recording: null,
      problem: isGone
        ? "the platform has it no more"
        : error instanceof ApiProblemError
          ? error.message
          : reasonWords(error),
    };
  }
}

async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  await fs.promises.writeFile(path.join(folder, name), text, { flag: "wx", mode: 0o600 });
}

const HEAD_BYTES = 12;

/** By how it begins: whoever is handed the folder opens it with what they have. */
function extensionOf(head: Buffer): string {
  const says = (text: string, at = 0) => head.subarray(at, at + text.length).toString("latin1") === text;
  if (says("OggS")) return "ogg";
  if (says("RIFF") && says("WAVE", 8)) return "wav";
  if (says("ID3") || (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0)) return "mp3";
  if (says("fLaC")) return "flac";
  if (says("ftyp", 4)) return "m4a";
  if (head.subarray(0, 4).equals(WEBM)) return "webm";
  return "bin";
}

const WEBM = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);

const OF_DISK: ReadonlySet<unknown> = new Set(["ENOSPC", "EACCES", "EPERM", "EROFS", "EIO", "EDQUOT"]);

function diskProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !OF_DISK.has(error.code)) return undefined;
  return String(error.code);
}
