import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import { walkCalls } from "../../src/cli/qualify/lists.ts";
import { blankProfile, type Study } from "../../src/cli/qualify/study.ts";
import { readPlatformProfile, type PlatformProfile } from "../../src/domain/campaigns/platform-profile.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import type { BatchCallItem, Platform } from "../../src/platform/index.ts";
import { openLine, type Line, type LineInput } from "./platform-line.ts";
import { temporaryFolder, writeFile } from "./support.ts";

const PHONES = ["+12025550143", "+12025550144", "+12025550145"];

/** Fast enough for a test, slow enough for a call to be up when it is paused. */
const SPEED = 40;

type Seen = NonNullable<LineInput["seen"]>;

interface Qualified {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly profile: PlatformProfile | undefined;
}

async function qualify(
  outdial: Line,
  phones: readonly string[],
  {
    more = ["--yes"],
    ...input
  }: Pick<LineInput, "answers" | "seen"> & { readonly more?: readonly string[] } = {},
): Promise<Qualified> {
  const folder = temporaryFolder();
  const numbers = writeFile(folder, "phones.csv", ["phone", ...phones].join("\n"));
  const out = path.join(folder, "profile.json");
  const end = await outdial(["qualify", "--numbers", numbers, "--out", out, ...more], {
    environment: { OUTDIAL_SPEED: String(SPEED) },
    ...input,
  });
  const profile = fs.existsSync(out)
    ? readPlatformProfile(JSON.parse(fs.readFileSync(out, "utf8")))
    : undefined;
  return { ...end, profile };
}

function profileOf({ profile, stderr }: Qualified): PlatformProfile {
  if (!profile) throw new Error(`there is no profile: ${stderr}`);
  return profile;
}

async function batchesLeft(outdial: Line): Promise<unknown> {
  return JSON.parse((await outdial(["platform", "batch-calls", "list", "--json"])).stdout);
}

/** How often the sandbox saw each number dialed. */
function dialsOf(sandbox: Sandbox): Map<string, number> {
  const dials = new Map<string, number>();
  for (const { phone } of sandbox.dialLog.calls()) dials.set(phone, (dials.get(phone) ?? 0) + 1);
  return dials;
}

/** Every call rings for some two seconds and talks for some more: on a busy machine looks are far apart. */
function answerSlowly(sandbox: Sandbox): void {
  for (const phone of PHONES) {
    sandbox.outcomes.force(phone, [{ outcome: "answered", ring_ms: 2_000 * SPEED, talk_ms: 2_000 * SPEED }]);
  }
}

/** Well after the first look at a batch that is over, and well before the second one. */
const LATER_MS = 200;

/** A platform whose items are listed otherwise than they are; `later` some time after their batch was seen to be over. */
function withItems(change: (item: BatchCallItem, later: boolean) => BatchCallItem): Seen {
  const overSince = new Map<string, number>();
  return (platform) => ({
    ...platform,
    batchCalls: {
      ...platform.batchCalls,
      async *iterateItems(id, ...rest) {
        const isLater = performance.now() - (overSince.get(id) ?? Number.POSITIVE_INFINITY) > LATER_MS;
        for await (const item of platform.batchCalls.iterateItems(id, ...rest)) yield change(item, isLater);
        const { status = "" } = await platform.batchCalls.get(id);
        const isOver = ["cancelled", "completed"].includes(status);
        if (isOver && !overSince.has(id)) overSince.set(id, performance.now());
      },
    },
  });
}

/** A platform whose items are over under one word when their batch is first seen to be over, and under another after. */
function withSecondThoughts(first: string, second: string): Seen {
  const shown = new Map<string, string>();
  const listed = new Set<string>();
  return (platform) => ({
    ...platform,
    batchCalls: {
      ...platform.batchCalls,
      async get(id, options) {
        const batch = await platform.batchCalls.get(id, options);
        shown.set(id, batch.status ?? "");
        return batch;
      },
      async *iterateItems(id, ...rest) {
        const word = listed.has(id) ? second : first;
        if (shown.get(id) === "completed") listed.add(id);
        for await (const item of platform.batchCalls.iterateItems(id, ...rest))
          yield item.completed_at === undefined ? item : { ...item, status: word };
      },
    },
  });
}

/** A platform that lists these calls for a batch. */
function withCalls(list: (platform: Platform) => Platform["calls"]["iterate"]): Seen {
  return (platform) => ({ ...platform, calls: { ...platform.calls, iterate: list(platform) } });
}

const SLOW_MS = 90_000;

it("keeps the words of every call that is listed for a batch", async () => {
  const found = blankProfile("http://127.0.0.1:9", "0.0.0", new Date());
  async function* iterate() {
    yield { call_id: "a", status: "ended", processing_status: "completed" };
    yield { call_id: "b", status: "hung up", processing_status: "thinking" };
  }
  const { signal } = new AbortController();
  const study = { platform: { calls: { iterate } }, found, signal } as unknown as Study;
  expect(await walkCalls(study, "batch", () => false)).toMatchObject({ isWhole: true });
  expect(found.words).toMatchObject({ call: ["ended", "hung up"], processing: ["completed", "thinking"] });
});

describe("qualify", () => {
  it(
    "finds out what the platform does, calls each phone once, and leaves nothing behind",
    async () => {
      const { sandbox, outdial } = await openLine({ speed: SPEED });
      answerSlowly(sandbox);
      const end = await qualify(outdial, PHONES);
      expect(end).toMatchObject({ code: 0, stderr: "" });
      expect(dialsOf(sandbox)).toEqual(new Map(PHONES.map((phone) => [phone, 1])));
      expect(await batchesLeft(outdial)).toMatchObject({ total: 0 });
      const found = profileOf(end);
      expect(found).toMatchObject({
        base_url: sandbox.url,
        phones_rung: 3,
        date_header: true,
        ended_item_words: [],
        page_limits: { items: 1_000, calls: 1_000, agents: 1_000 },
        stream: { opens_with_header: true, opens_with_token: true, malformed: 0 },
        item_facts: { call_id: true, attempt_count: true, started_at: true, completed_at: true },
        filters: { "calls.batch_call_id": "works", "calls.status": "works", "items.status": "works" },
        timings_ms: { pickup: expect.any(Number), pause: expect.any(Number), cancel: expect.any(Number) },
        not_tried: [],
      });
      expect(found.words.batch).toEqual(
        expect.arrayContaining(["pending", "running", "cancelled", "completed"]),
      );
      expect(found.words.item).toEqual(expect.arrayContaining(["pending", "dialing", "cancelled"]));
      expect(found.effects.second_start).toMatch(/^refused \(409\).*no phone was called twice$/);
      expect(found.deletes.ended_batch).toContain("404");
    },
    SLOW_MS,
  );

  it("shows no number whole", async () => {
    const { outdial } = await openLine({ speed: SPEED });
    const end = await qualify(outdial, PHONES.slice(0, 1));
    expect(end.code).toBe(0);
    const told = end.stdout + end.stderr + JSON.stringify(end.profile);
    for (const phone of [...PHONES, "+12025550100"]) expect(told).not.toContain(phone.slice(4));
    expect(end.profile?.not_tried).toContain("pause and cancel of a running batch: needs two phones");
  });

  it("calls nobody whom it may not call", async () => {
    const { sandbox, outdial } = await openLine({ speed: SPEED });
    // Of three phones the second; its batch; and no second start.
    const end = await qualify(outdial, PHONES, { more: [], answers: ["n", "y", "", "y", "no"] });
    expect(end.code).toBe(0);
    expect([...dialsOf(sandbox).keys()]).toEqual([PHONES[1]]);
    expect(end.stderr.match(/\[y\/N\]/g)).toHaveLength(5);
    expect(end.profile?.not_tried).toContain("second start: not allowed");
  });

  it("asks again before each batch is started", async () => {
    const { sandbox, outdial } = await openLine({ speed: SPEED });
    const end = await qualify(outdial, PHONES, { more: [], answers: ["y", "y", "y", "n", "n"] });
    expect(end.stderr.match(/Start a batch that calls/g)).toHaveLength(2);
    expect(sandbox.dialLog.length).toBe(0);
    expect(profileOf(end)).toMatchObject({ phones_rung: 0 });
    expect(await batchesLeft(outdial)).toMatchObject({ total: 0 });
  });

  it("says no for whoever says nothing, and still tells what reading alone shows", async () => {
    const { sandbox, outdial } = await openLine({ speed: SPEED });
    const end = await qualify(outdial, PHONES, { more: [], answers: ["", "", ""] });
    expect(sandbox.dialLog.length).toBe(0);
    expect(profileOf(end)).toMatchObject({ phones_rung: 0, date_header: true });
  });

  it("leaves a careful profile of this platform as careful as it was", async () => {
    const { sandbox, outdial } = await openLine({ speed: SPEED });
    const careful = { ...profileOf(await qualify(outdial, PHONES, { more: [], answers: ["", "", ""] })) };
    careful.filters["calls.batch_call_id"] = "blind";
    const folder = temporaryFolder();
    const out = writeFile(folder, "kept.json", JSON.stringify(careful));
    const numbers = writeFile(folder, "phones.csv", "phone\n+12025550143");
    const end = await outdial(["qualify", "--numbers", numbers, "--out", out], { answers: ["n"] });
    expect(end.stdout).toContain("is kept from the profile of");
    expect(end.stdout).toContain("counts once OUTDIAL_PLATFORM_PROFILE names it");
    const kept = readPlatformProfile(JSON.parse(fs.readFileSync(out, "utf8")));
    expect(kept?.filters["calls.batch_call_id"]).toBe("blind");
    expect(sandbox.dialLog.length).toBe(0);
  });

  it("is refused where nobody can be asked, and for what is no list of one's own phones", async () => {
    const { sandbox, outdial } = await openLine({ speed: SPEED });
    const many = Array.from({ length: 21 }, (_, index) => `+120255501${String(index).padStart(2, "0")}`);
    for (const [phones, more, told] of [
      [PHONES, [], "add --yes"],
      [many, ["--yes"], "more than 20 numbers"],
      [["nobody"], ["--yes"], "line 2"],
      [PHONES, ["--yes", "--agent-id", "22222222-2222-4222-8222-222222222222"], "is a draft"],
    ] as const) {
      const end = await qualify(outdial, phones, { more });
      expect(end.code).toBeGreaterThan(0);
      expect(end.stderr).toContain(told);
    }
    expect(sandbox.dialLog.length).toBe(0);
    expect(await batchesLeft(outdial)).toMatchObject({ total: 0 });
  });

  it("learns words, pages and streams of a platform that does things its own way", async () => {
    const { sandbox, outdial } = await openLine({ speed: SPEED });
    const words = {
      completed: "talked",
      voicemail: "reached machine",
      no_answer: "rang out",
      busy: "engaged",
      failed: "went wrong",
    };
    sandbox.faults.add({ kind: "item_words", words });
    sandbox.faults.add({ kind: "items_page_cap", rows: 2 });
    sandbox.faults.add({ kind: "stream_refuse", status: 403 });
    const end = await qualify(outdial, PHONES);
    const found = profileOf(end);
    expect(end.code).toBe(0);
    expect(found.page_limits.items).toBe(2);
    expect(found.stream).toMatchObject({ opens_with_header: false, opens_with_token: false, frames: 0 });
    expect(found.ended_item_words.length).toBeGreaterThan(0);
    for (const word of found.ended_item_words) expect(Object.values(words)).toContain(word);
    // Shorter pages are no refusal, and nobody is lost on them.
    expect(found.page_refused).toEqual({});
    expect(found.filters["calls.batch_call_id"]).toBe("works");
    expect(dialsOf(sandbox)).toEqual(new Map(PHONES.map((phone) => [phone, 1])));
  });

  it(
    "takes no word for an end that items still say when their call is over, but said while it was up",
    async () => {
      const { sandbox, outdial } = await openLine({ speed: SPEED });
      answerSlowly(sandbox);
      // Items that lag for good: what was dialed stays at its first word.
      const seen = withItems((item) =>
        item.call_id === undefined ? item : { ...item, status: "live leg", completed_at: undefined },
      );
      const end = await qualify(outdial, PHONES.slice(0, 1), { seen });
      const found = profileOf(end);
      expect(found.words.item).toContain("live leg");
      expect(found.words.call).toContain("ended");
      expect(found.ended_item_words).toEqual([]);
    },
    SLOW_MS,
  );

  it(
    "takes no word for an end that is another one a moment later",
    async () => {
      const { outdial } = await openLine({ speed: SPEED });
      const seen = withSecondThoughts("hanging up", "hung up");
      const found = profileOf(await qualify(outdial, PHONES.slice(0, 1), { seen }));
      expect(found.words.item).toEqual(expect.arrayContaining(["hanging up", "hung up"]));
      expect(found.ended_item_words).toEqual([]);
    },
    SLOW_MS,
  );

  it.each<[string, Seen]>([
    [
      "its item shows a call a moment later",
      withItems((item, later) =>
        later && item.phone_number === PHONES[1] ? { ...item, attempt_count: 1 } : item,
      ),
    ],
    [
      "its item is gone a moment later",
      withItems((item, later) =>
        later && item.phone_number === PHONES[1] ? { ...item, phone_number: "+12025550199" } : item,
      ),
    ],
    [
      "a call to it is listed",
      withCalls(
        (platform) =>
          async function* (query, options) {
            for await (const call of platform.calls.iterate(query, options)) {
              yield call;
              yield { ...call, call_id: "another", to_number: PHONES[1] };
            }
          },
      ),
    ],
    ["the calls of its batch can't be listed", withCalls(() => async function* () {})],
  ])(
    "leaves a phone of a cancelled batch out where %s",
    async (_why, seen) => {
      const { sandbox, outdial } = await openLine({ speed: SPEED });
      answerSlowly(sandbox);
      const end = await qualify(outdial, PHONES.slice(0, 2), { seen });
      expect(end.code).toBe(0);
      expect([...dialsOf(sandbox)]).toEqual([[PHONES[0], 1]]);
      expect(end.profile?.not_tried.join("; ")).toContain("no phone was left to call");
      expect(end.profile?.phones_rung).toBe(2);
    },
    SLOW_MS,
  );

  it(
    "leaves nothing that still dials where the platform fails on the way",
    async () => {
      const { sandbox, outdial } = await openLine({ speed: SPEED });
      answerSlowly(sandbox);
      const ending = qualify(outdial, PHONES);
      await expect.poll(() => sandbox.dialLog.length, { interval: 10 }).toBe(1);
      sandbox.faults.add({ kind: "status", route: "GET /v1/batch-calls/:id/items", status: 401 });
      const end = await ending;
      expect(end).toMatchObject({
        code: 1,
        profile: undefined,
        stderr: expect.stringContaining("outdial doctor"),
      });
      expect(await batchesLeft(outdial)).toMatchObject({ total: 0 });
      await expect.poll(() => sandbox.stats().activeCalls).toBe(0);
      expect([...dialsOf(sandbox)]).toEqual([[PHONES[0], 1]]);
    },
    SLOW_MS,
  );
});
