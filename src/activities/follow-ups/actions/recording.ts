import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

import { elapsedMs } from "../../../domain/time/elapsed.ts";
import type { SpecOf } from "../../../domain/follow-ups/actions.ts";
import { type Action } from "../../../ledger/follow-ups/actions.ts";
import { NotFoundError, PlatformError, type Download } from "../../../platform/index.ts";
import type { ActivityDeps } from "../../deps.ts";
import type { Step as NamedStep } from "../../../ledger/ground/failing-steps.ts";
import { noteStepFailure, noteStepSuccess } from "../../ground/failing-steps.ts";
import { PATIENCE_MS } from "../../ground/tracked-execution.ts";
import { FolderUnmarkedError, markFolder } from "../recordings-folder.ts";
import type { Step } from "./step.ts";
import { claimTry, type TryOutcome } from "../../../ledger/follow-ups/action-tries.ts";

type RecordingSpec = SpecOf<"recording">;

/** Hours of a call, as lossless sound even. */
const MAX_BYTES = 500 * 1024 * 1024;

/** Beyond the time that a download may take, before another may take its place. */
const CLAIM_MARGIN_MS = 10_000;

/** By what the platform calls them (RFC 3534, RFC 2586 and others); recordings are typically Ogg. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "audio/ogg": "ogg",
  "application/ogg": "ogg",
  "audio/opus": "opus",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
  "audio/mp4": "m4a",
  "audio/x-m4a": "m4a",
  "audio/wav": "wav",
  "audio/wave": "wav",
  "audio/x-wav": "wav",
  "audio/webm": "webm",
  "audio/flac": "flac",
};

/** The folder is not one that a recording may be put into, or the recording is none that may be kept. */
class RecordingRefusedError extends Error {
  override readonly name = "RecordingRefusedError";
}

/**
 * Keeps a call's recording in a folder. It has its name only once it is there whole and on the disk; keeping it again
 * puts the same in its place. Undefined where somebody else is at it.
 */
export async function keepRecording(
  deps: ActivityDeps,
  action: Action,
  spec: RecordingSpec,
): Promise<Step | undefined> {
  const { callId, absence = "the attempt has no call" } = spec;
  if (callId === undefined || spec.absence !== undefined)
    return { action, outcome: { kind: "needless", why: `there is no recording: ${absence}` } };
  const nowMs = deps.now();
  if (action.sentAtMs !== undefined) {
    const busyMs = action.sentAtMs + spec.timeoutMs + CLAIM_MARGIN_MS - nowMs;
    if (busyMs > 0) return { action, outcome: { kind: "pending", waitMs: busyMs } };
  }
  if (!(await claimTry(deps.ledger.db, action, nowMs))) return undefined;
  const claimed = { ...action, tries: action.tries + 1, sentAtMs: nowMs };
  const folder = path.join(deps.recordingsDir, spec.folder);
  const known = knownProblem(folder, nowMs, deps.pace.refusedLookMs);
  if (known) return { action: claimed, outcome: afterFolderProblem(deps, action, known) };
  try {
    const outcome = await download(deps, spec, callId);
    if (outcome.kind !== "done") return { action: claimed, outcome };
    problems.delete(folder);
    await noteStepSuccess(deps, writingTo(spec.folder), { asked: false });
    return { action: claimed, outcome };
  } catch (error) {
    if (!(error instanceof FolderProblemError)) throw error;
    keepProblem(folder, { error, sinceMs: nowMs });
    await noteStepFailure(deps, writingTo(spec.folder), error);
    return { action: claimed, outcome: afterFolderProblem(deps, action, error) };
  }
}

class FolderProblemError extends Error {
  override readonly name = "FolderProblemError";
}

/** What is wrong with a folder is wrong for all its recordings: it is told of once, and none of them is given up for it. */
function writingTo(folder: string): NamedStep {
  return { of: "chore", id: `the folder ${folder} for recordings of ${os.hostname()}`, verb: "write to" };
}

/**
 * Folders of this process that could not be written. For a while nobody tries: what is downloaded may be large, and one
 * recording finds out for all whether that is mended.
 */
const problems = new Map<string, { error: FolderProblemError; sinceMs: number }>();
const MOST_PROBLEMS = 1_000;

function knownProblem(folder: string, nowMs: number, forMs: number): FolderProblemError | undefined {
  const known = problems.get(folder);
  return known && elapsedMs(nowMs, known.sinceMs) < forMs ? known.error : undefined;
}

function keepProblem(folder: string, problem: { error: FolderProblemError; sinceMs: number }): void {
  problems.delete(folder);
  problems.set(folder, problem);
  for (const [oldest] of problems) {
    if (problems.size <= MOST_PROBLEMS) break;
    problems.delete(oldest);
  }
}

/** Nothing was kept, and no try counts: for a day. Then it counts as others do, and is given up in the end. */
function afterFolderProblem(
  deps: ActivityDeps,
  { createdAtMs }: Action,
  error: FolderProblemError,
): TryOutcome {
  if (deps.now() - createdAtMs >= PATIENCE_MS) return { kind: "failed_try", error: error.message };
  return { kind: "postponed", waitMs: deps.pace.refusedLookMs, error: error.message };
}

async function download(deps: ActivityDeps, spec: RecordingSpec, callId: string): Promise<TryOutcome> {
  try {
    const dir = await folderIn(deps.recordingsDir, spec.folder);
    const keptIn = await markFolder(deps.recordingsDir);
    const recording = await deps.platform.calls.recording(callId, { timeoutMs: spec.timeoutMs });
    try {
      const { name, ...kept } = await keep(dir, callId, recording);
      const file = `${spec.folder}/${name}`;
      return { kind: "done", externalId: file, answer: { file, kept_in: keptIn, ...kept } };
    } finally {
      // What was not read to its end would hold its connection.
      recording.body.destroy();
    }
  } catch (error) {
    if (error instanceof NotFoundError)
      return { kind: "failed_try", error: "the platform has no recording of the call, or not yet" };
    if (error instanceof PlatformError)
      return {
        kind: "failed_try",
        error: error.message,
        ...(error.retryAfterMs !== undefined && { atLeastMs: error.retryAfterMs }),
      };
    if (error instanceof RecordingRefusedError) return { kind: "refused", error: error.message };
    if (error instanceof RecordingCutError)
      return { kind: "failed_try", error: `the recording was cut off: ${error.message}` };
    if (error instanceof FolderUnmarkedError) throw new FolderProblemError(error.message, { cause: error });
    const code = codeOf(error);
    if (code === undefined) throw error;
    const problem = folderProblem(code);
    if (problem === undefined)
      return { kind: "failed_try", error: `the recording could not be written (${code})` };
    throw new FolderProblemError(problem, { cause: error });
  }
}

interface Kept {
  name: string;
  bytes: number;
  sha256: string;
}

async function keep(dir: string, callId: string, recording: Download): Promise<Kept> {
  if (recording.sizeBytes !== undefined && recording.sizeBytes > MAX_BYTES)
    throw tooLarge(recording.sizeBytes);
  const name = `${fileNameOf(callId)}.${extensionOf(recording.contentType)}`;
  const partial = path.join(dir, `.${name}.part`);
  const hash = createHash("sha256");
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(bytes > MAX_BYTES ? tooLarge(bytes) : null, chunk);
    },
  });
  try {
    // What an earlier try left is overwritten; a link in its place is not followed.
    await fs.promises.rm(partial, { force: true });
    await pipeline(
      recording.body,
      counting,
      fs.createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true }),
    );
    if (recording.sizeBytes !== undefined && bytes !== recording.sizeBytes)
      throw new RecordingCutError(`${bytes} of ${recording.sizeBytes} bytes came`);
    await fs.promises.rename(partial, path.join(dir, name));
    await syncFolder(dir);
  } catch (error) {
    await fs.promises.rm(partial, { force: true });
    throw error;
  }
  return { name, bytes, sha256: hash.digest("hex") };
}

/** It came to an end before its end. */
class RecordingCutError extends Error {
  override readonly name = "RecordingCutError";
}

function tooLarge(bytes: number): RecordingRefusedError {
  return new RecordingRefusedError(
    `the recording has ${bytes} bytes or more; ${MAX_BYTES} are kept at most: fetch it by hand`,
  );
}

/** The folder, made where it is missing. What leads out of the one for recordings, by links even, is refused. */
async function folderIn(root: string, folder: string): Promise<string> {
  const steps = folder.split("/");
  if (steps.some((step) => !/^[\p{L}\p{N}][^/\\\0]*$/u.test(step) || step.includes("..")))
    throw new RecordingRefusedError(
      `${folder} is no folder below the one for recordings: change the rule's folder`,
    );
  await fs.promises.mkdir(root, { recursive: true, mode: 0o700 });
  const realRoot = await fs.promises.realpath(root);
  let dir = realRoot;
  for (const step of steps) {
    dir = path.join(dir, step);
    await fs.promises.mkdir(dir, { recursive: true, mode: 0o700 });
    const real = await fs.promises.realpath(dir);
    if (real !== dir && !real.startsWith(`${realRoot}${path.sep}`))
      throw new RecordingRefusedError(
        `${folder} leads out of the folder for recordings by a link: take the link away`,
      );
  }
  return dir;
}

/** Ids are the platform's: one that is no plain name is known by its digest. */
function fileNameOf(callId: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(callId)) return callId;
  return createHash("sha256").update(callId).digest("hex");
}

function extensionOf(contentType: string | undefined): string {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  return Object.hasOwn(EXTENSIONS, type) ? (EXTENSIONS[type] ?? "bin") : "bin";
}

/** A name is on the disk when its folder is. */
async function syncFolder(dir: string): Promise<void> {
  const handle = await fs.promises.open(dir, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What is wrong with the folder, by a code of the file system; undefined: it is no such code. */
function folderProblem(code: string): string | undefined {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return `the disk of the folder for recordings is full (${code}): make room`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return `the folder for recordings can't be written (${code}): give the worker the right to`;
    case "ENOTDIR":
    case "EEXIST":
      return `a file stands where a folder for recordings should be (${code}): move it`;
    case "EIO":
      return `the disk of the folder for recordings fails (${code}): see to it`;
    default:
      return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
