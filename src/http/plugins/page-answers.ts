import type { FastifyInstance, FastifyRequest } from "fastify";

import { BEGINNING, isBefore, type Place } from "../../ledger/events/events.ts";
import { callerOf } from "../caller.ts";
import { readPlace } from "../event-view.ts";
import { Problem } from "../problem.ts";
import { editedShown, showsEditedHalf } from "./etags.ts";

/*
 * Answers that open pages share. The feed tells all of them of one event in one moment, and all of them ask for the same
 * then: what they ask the ledger does not grow with their number.
 *
 * 1. Of one address, among sessions of browsers with the same role and brands. Whoever shows a token is answered anew.
 * 2. Where the answer was begun less than two seconds ago, and knows of what the page knows: a page says up to which
 *    event it was told (`x-outdial-seen`), and one that this process had not found when an answer was begun may be
 *    missing from that.
 * 3. Who just did something asks with `cache-control: no-cache`, and is answered anew.
 * 4. Only what is the same for all of them, and changes nothing: the routes below. What fails is nobody else's answer.
 */

const SEEN_HEADER = "x-outdial-seen";

/** A page asks for the same every two seconds at most. */
const SHARED_FOR_MS = 2_000;

/** All that is kept at a time; what is larger than a part of it is not kept. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
const LARGEST = MOST_CHARACTERS / 16;

/** For others that failed; then whoever waited asks for itself. */
const MOST_WAITS = 2;

/** What pages show, and ask for again by themselves. Of `GET` alone; none of it says anything of who asks. */
export const SHARED_ROUTES: ReadonlySet<string> = new Set([
  "/v1/system",
  "/v1/attention",
  "/v1/campaigns",
  "/v1/campaigns/:ref",
  "/v1/campaigns/:ref/progress",
  "/v1/campaigns/:ref/report",
  "/v1/campaigns/:ref/timeline",
  "/v1/campaigns/:ref/holds",
  "/v1/campaigns/:ref/outlook",
  "/v1/campaigns/:ref/batches",
  "/v1/campaigns/:ref/caller-ids",
  "/v1/campaigns/:ref/contacts",
  "/v1/campaigns/:ref/attempts",
  "/v1/campaigns/:ref/calls",
  "/v1/campaigns/:ref/canary",
  "/v1/people/called",
  "/v1/follow-ups",
  "/v1/follow-ups/:id",
  "/v1/actions/:id",
  "/v1/sequences",
  "/v1/sequences/:ref",
  "/v1/sequences/:ref/conversion",
  "/v1/sequences/:ref/enrolments",
  "/v1/enrolments/:id",
  "/v1/schedules",
  "/v1/schedules/:name",
  "/v1/schedules/:name/runs",
  "/v1/automations/health",
  "/v1/triggers",
  "/v1/triggers/:name",
  "/v1/triggers/:name/deliveries",
  "/v1/deliveries/:id",
  "/v1/budgets",
  "/v1/blackouts",
  "/v1/suppressions",
  "/v1/suppressions/sources",
]);

/** What is sent, as whoever has these rights is shown it. */
interface Answer {
  payload: string;
  contentType: string;
  /** The half of its tag that an edit is held against; undefined: it has none. */
  edited: string | undefined;
}

interface Entry {
  key: string;
  beganAtMs: number;
  /** Everything up to here had happened when it was begun. */
  seen: Place;
  /** Undefined: it is none that others may have. */
  answer: Promise<Answer | undefined>;
  settle: (answer: Answer | undefined) => void;
  characters: number;
}

export interface Seen {
  /** Everything up to there has been found; looks anew where that is not as far as what is asked for. */
  through(atLeast: Place): Promise<Place>;
}

const shared = new WeakSet<FastifyRequest>();

/** Whether the answer is one that somebody else with the same rights was sent: then it is masked already. */
export function isShared(request: FastifyRequest): boolean {
  return shared.has(request);
}

/** @param nowMs a clock that never goes back */
export function sharePageAnswers(
  app: FastifyInstance,
  seen: Seen,
  nowMs: () => number = () => performance.now(),
): void {
  const entries = new Map<string, Entry>();
  const leading = new WeakMap<FastifyRequest, Entry>();
  let characters = 0;

  const drop = (entry: Entry) => {
    if (entries.get(entry.key) !== entry) return;
    entries.delete(entry.key);
    characters -= entry.characters;
  };
  const isOld = ({ beganAtMs }: Entry) => nowMs() - beganAtMs >= SHARED_FOR_MS;
  /** Those that are old, which stand first, and as many more as there is no room for. */
  const makeRoom = () => {
    for (const entry of entries.values()) {
      if (!isOld(entry) && characters <= MOST_CHARACTERS) return;
      drop(entry);
    }
  };
  // Nobody may come for a long time who would make room.
  const sweep = setInterval(makeRoom, SHARED_FOR_MS);
  sweep.unref();
  app.addHook("onClose", async () => clearInterval(sweep));
  const lead = (key: string, through: Place): Entry => {
    const known = entries.get(key);
    if (known) drop(known);
    makeRoom();
    let settle: Entry["settle"] = () => {};
    const answer = new Promise<Answer | undefined>((resolve) => {
      settle = resolve;
    });
    const entry: Entry = { key, beganAtMs: nowMs(), seen: through, answer, settle, characters: 0 };
    entries.set(key, entry);
    return entry;
  };
  const end = (request: FastifyRequest, answer: Answer | undefined) => {
    const entry = leading.get(request);
    if (!entry) return;
    leading.delete(request);
    entry.settle(answer);
    if (!answer || isOld(entry)) return drop(entry);
    if (entries.get(entry.key) !== entry) return;
    entry.characters = answer.payload.length;
    characters += entry.characters;
    makeRoom();
  };

  app.addHook("preValidation", async (request, reply) => {
    if (request.method !== "GET" || !request.browserSession) return;
    if (!SHARED_ROUTES.has(request.routeOptions.url ?? "")) return;
    const { role, brands } = callerOf(request);
    const key = JSON.stringify([role, brands?.toSorted() ?? null, request.url]);
    const known = placeSeen(request);
    if (!known) return;
    const through = await seen.through(known);
    const isAnew = request.headers["cache-control"] === "no-cache";
    for (let waits = 0; waits < MOST_WAITS; waits += 1) {
      const entry = entries.get(key);
      if (!entry || isAnew || isOld(entry) || isBefore(entry.seen, known)) {
        leading.set(request, lead(key, through));
        return;
      }
      const answer = await entry.answer;
      if (answer) {
        shared.add(request);
        if (answer.edited !== undefined) showsEditedHalf(request, answer.edited);
        reply.header("content-type", answer.contentType);
        return reply.send(answer.payload);
      }
      // Whoever was to answer could not, which says nothing of this one: another of those who waited tries.
    }
  });
  app.addHook("onSend", async (request, reply, payload) => {
    if (!leading.has(request)) return payload;
    const isWhole = reply.statusCode === 200 && typeof payload === "string" && payload.length <= LARGEST;
    const contentType = String(reply.getHeader("content-type") ?? "");
    end(request, isWhole ? { payload, contentType, edited: editedShown(request) } : undefined);
    return payload;
  });
  // However it ended, nobody waits for it any more. Who went away before the end is answered all the same: others wait.
  app.addHook("onResponse", async (request) => end(request, undefined));
}

/** Up to where a page was told; undefined: it says something that is no place. */
function placeSeen({ headers }: FastifyRequest): Place | undefined {
  const given = headers[SEEN_HEADER];
  if (given === undefined) return BEGINNING;
  try {
    return readPlace(String(given).slice(0, LONGEST_PLACE));
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

const LONGEST_PLACE = 400;
