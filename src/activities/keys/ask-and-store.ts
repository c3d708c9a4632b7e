import { MOST_TRIES, recogniseKey, type Recognised } from "../../domain/keys/key-rotation.ts";
import {
  claimTry,
  giveTryBack,
  lockKeyRotation,
  moveKeyRotation,
  type KeyRotation,
} from "../../ledger/keys/key-rotations.ts";
import {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  KeyFileError,
  NotFoundError,
  PaymentRequiredError,
  PlatformError,
  UnauthorizedError,
  UnprocessableError,
  type ApiKey,
  type ApiKeyCreated,
  type KeyFile,
} from "../../platform/index.ts";
import type { ActivityDeps } from "../deps.ts";
import { BY_HAND, giveUp, NOT_FROM_A_FILE, type Trouble, type StepResult } from "./giving-up.ts";
import { listKeys } from "./key-in-use.ts";

/** `rotating`: asks the platform for a new key and stores it beside the one in use, in one breath. */
export async function askAndStore(deps: ActivityDeps, rotation: KeyRotation): Promise<StepResult> {
  const { ledger, keys, pace } = deps;
  const file = keys?.inUse.file;
  if (!file) return giveUp(deps, rotation, NOT_FROM_A_FILE);
  try {
    file.check();
    // Stored before the ledger could say so.
    if (file.staged(rotation.id) !== undefined) return await adopt(deps, rotation, file);
    if (rotation.tries >= MOST_TRIES) {
      return await giveUp(deps, rotation, {
        what: `the platform was asked ${rotation.tries} times, and no answer arrived whole`,
        remedy: `see that the platform answers, then \`outdial key rotate\`; or ${BY_HAND}`,
      });
    }
    const nowMs = deps.now();
    const graceUntilMs = nowMs + rotation.graceHours * pace.keyHourMs;
    const nth = await claimTry(ledger.db, { rotationId: rotation.id, graceUntilMs, nowMs });
    if (nth === undefined) return "again";
    // Whoever held the claim before may have stored a key until this moment, and not since.
    if (file.staged(rotation.id) !== undefined) return "again";
    const created = await ask(deps, rotation, nth);
    return "key" in created ? await store(deps, rotation, file, nth, created) : created.result;
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    return giveUp(deps, rotation, { what: error.message, remedy: "mend that, then `outdial key rotate`" });
  }
}

async function ask(
  deps: ActivityDeps,
  rotation: KeyRotation,
  nth: number,
): Promise<ApiKeyCreated | { result: StepResult }> {
  try {
    return await deps.platform.apiKeys.rotate(rotation.oldKeyId, {
      grace_period_hours: rotation.graceHours,
    });
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.effect === "may_have_happened") {
      deps.log.warn(
        { rotationId: rotation.id, nth, error: error.message },
        "the answer with the new key was lost; the platform is asked again while the old one is good",
      );
      return { result: { waitMs: deps.pace.lookMs } };
    }
    await giveTryBack(deps.ledger.db, { rotationId: rotation.id, nth, nowMs: deps.now() });
    const trouble = troubleOf(error);
    // Anything else is over some time.
    if (!trouble) throw error;
    return { result: await giveUp(deps, rotation, trouble) };
  }
}

function troubleOf(error: PlatformError): Trouble | undefined {
  if (error instanceof UnauthorizedError)
    return {
      what: `the platform refuses the key in use (${error.message})`,
      remedy: BY_HAND,
    };
  if (error instanceof ForbiddenError)
    return {
      what: `the key in use may not rotate keys (${error.message})`,
      remedy: `give it the scope api_keys:write on the platform, then \`outdial key rotate\`; or ${BY_HAND}`,
    };
  const isRefusal =
    error instanceof NotFoundError ||
    error instanceof ConflictError ||
    error instanceof InvalidRequestError ||
    error instanceof UnprocessableError ||
    error instanceof PaymentRequiredError;
  return isRefusal
    ? { what: `the platform refuses to rotate the key (${error.message})`, remedy: BY_HAND }
    : undefined;
}

async function store(
  deps: ActivityDeps,
  { id }: KeyRotation,
  file: KeyFile,
  nth: number,
  created: ApiKeyCreated,
): Promise<StepResult> {
  return deps.ledger.transaction<StepResult>(async (tx) => {
    const now = await lockKeyRotation(tx, id);
    if (now?.state !== "rotating") return "again";
    // Somebody has asked again since, as if this answer were lost: then it is, and its key is taken back at the end.
    // Theirs is waited for: two that ask again at once would take the tries from each other until none is left.
    if (now.tries !== nth) return { waitMs: deps.pace.lookMs };
    file.stage(id, created.key);
    await moveKeyRotation(tx, now, {
      event: "stored",
      newKeyId: created.id,
      newKeyPrefix: created.key_prefix,
      nowMs: deps.now(),
    });
    return "again";
  });
}

/** Finds out which key it is that is stored already. */
async function adopt(deps: ActivityDeps, rotation: KeyRotation, file: KeyFile): Promise<StepResult> {
  const staged = file.staged(rotation.id);
  if (staged === undefined) return "again";
  const recognised = await recogniseStaged(deps, rotation, staged);
  await moveKeyRotation(deps.ledger.db, rotation, {
    event: "stored",
    ...(recognised.kind === "found" && {
      newKeyId: recognised.key.id,
      newKeyPrefix: recognised.key.key_prefix,
    }),
    nowMs: deps.now(),
  });
  return "again";
}

/** Where the old key ended meanwhile, the one that is stored is all there is: it is tried out, known or not. */
async function recogniseStaged(
  { platform }: ActivityDeps,
  { oldKeyId, knownKeyIds }: KeyRotation,
  staged: string,
): Promise<Recognised<ApiKey>> {
  try {
    const shown = (await listKeys(platform)).filter(
      // One that keeps its id is shown with its new beginning.
      ({ id }) => id === oldKeyId || !knownKeyIds.includes(id),
    );
    return recogniseKey(staged, shown, undefined);
  } catch (error) {
    if (error instanceof UnauthorizedError || error instanceof ForbiddenError) return { kind: "none" };
    throw error;
  }
}
