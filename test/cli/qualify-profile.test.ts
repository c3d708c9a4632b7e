import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import fc from "fast-check";

import { paceAt, paceFor } from "../../src/activities/deps.ts";
import { checkProfile } from "../../src/cli/doctor/profile.ts";
import { sandboxSettings } from "../../src/cli/campaigns/run/run.ts";
import { readConfig } from "../../src/config.ts";
import {
  ITEM_WORDS,
  looksUndialed,
  readItem,
  type CallFacts,
  type ItemFacts,
} from "../../src/domain/campaigns/call-outcome.ts";
import { readAttempts, type Reading } from "../../src/domain/campaigns/findings.ts";
import {
  carriedOver,
  effectsOf,
  isAbout,
  NO_PROFILE,
  readPlatformProfile,
  type PlatformProfile,
} from "../../src/domain/campaigns/platform-profile.ts";
import { findProfile, profileInForce, writeProfile } from "../../src/profile-file.ts";
import { createSandbox } from "../../src/sandbox/sandbox.ts";
import { outdial, temporaryFolder, writeFile } from "./support.ts";

const BASE = "https://api.voice.example.com/eu";
const MADE_AT = "2026-11-20T09:00:00.000Z";

function profileWith(fields: Readonly<Record<string, unknown>> = {}): PlatformProfile {
  const profile = readPlatformProfile({
    outdial_platform_profile: 1,
    made_at: MADE_AT,
    outdial_version: "0.1.0",
    base_url: BASE,
    ...fields,
  });
  if (!profile) throw new Error("no profile");
  return profile;
}

function item(status: string, facts: Partial<ItemFacts> = {}): ItemFacts {
  return {
    status,
    errorText: undefined,
    callId: undefined,
    dialCount: undefined,
    startedAtMs: undefined,
    completedAtMs: undefined,
    ...facts,
  };
}

const PHONE = "+12025550143";

function callOf(status: string, durationSeconds: number | undefined): CallFacts {
  return { callId: "c", status, durationSeconds, startedAtMs: undefined, endedAtMs: undefined };
}

/** What the engine reads of one attempt whose item says this. */
function readOne(
  facts: ItemFacts,
  {
    endedItemWords,
    calls = [],
    state = "open",
  }: {
    endedItemWords?: ReadonlySet<string>;
    calls?: readonly CallFacts[];
    state?: "open" | "provisional";
  } = {},
): Reading {
  return readAttempts({
    attempts: [
      {
        phone: PHONE,
        itemId: "i",
        callId: undefined,
        state,
        endedAtMs: undefined,
        plannedAtMs: 0,
        seenDialed: false,
        refusals: 0,
      },
    ],
    items: [{ ...facts, itemId: "i", phone: PHONE }],
    calls: new Map(calls.map((one) => [one.callId, one])),
    analysisRules: [],
    ...(endedItemWords && { endedItemWords }),
    decideAfterMs: 600_000,
    nowMs: 0,
  });
}

describe("a profile changes dialing in the careful direction only", () => {
  it("makes pages smaller and waits longer, within bounds", () => {
    expect(effectsOf(profileWith())).toEqual(NO_PROFILE);
    const effects = effectsOf(
      profileWith({
        page_limits: { items: 1_000, calls: 50 },
        page_refused: { calls: 100 },
        timings_ms: { pickup: 30_000, listing_behind_stream: 20_000 },
      }),
    );
    expect(effects).toMatchObject({ pageLimit: 50, startDoubtAtLeastMs: 120_000, quietAtLeastMs: 80_000 });
    expect(paceFor(paceAt(1), effects)).toEqual({ ...paceAt(1), startDoubtMs: 120_000, quietMs: 80_000 });
    const slow = effectsOf(
      profileWith({ timings_ms: { pickup: 3_600_000, listing_behind_stream: 3_600_000 } }),
    );
    expect(slow).toMatchObject({ startDoubtAtLeastMs: 600_000, quietAtLeastMs: 120_000 });
    expect(paceFor(paceAt(1), effectsOf(profileWith({ timings_ms: { pickup: 1 } })))).toEqual(paceAt(1));
    // What was accepted is waited for no shorter than a start that is in doubt.
    const queues = effectsOf(profileWith({ timings_ms: { pickup: 86_400_000 } }));
    const patient = paceFor({ ...paceAt(1), pickupMs: 1_000 }, queues);
    expect(patient.pickupMs).toBe(patient.startDoubtMs);
  });

  it("asks for smaller pages only where the usual one was refused: one that comes back shorter is enough", () => {
    const page_limits = { items: 7, calls: 50 };
    for (const page_refused of [{}, { items: 200, calls: 1_000 }, { items: "all" }]) {
      expect(effectsOf(profileWith({ page_limits, page_refused })).pageLimit).toBe(100);
    }
    expect(effectsOf(profileWith({ page_limits, page_refused: { items: 10 } })).pageLimit).toBe(7);
    expect(effectsOf(profileWith({ page_limits, page_refused: { calls: 100 } })).pageLimit).toBe(50);
  });

  it("lets the key stay out of the stream's address where the header is enough, and only there", () => {
    expect(effectsOf(profileWith({ stream: { opens_with_header: true } })).streamTokenInQuery).toBe(false);
    for (const answer of [false, undefined, "yes"]) {
      expect(effectsOf(profileWith({ stream: { opens_with_header: answer } })).streamTokenInQuery).toBe(true);
    }
  });

  it("takes a blind listing of calls as no proof", () => {
    expect(effectsOf(profileWith({ filters: { "calls.batch_call_id": "blind" } })).callsListingProves).toBe(
      false,
    );
    expect(effectsOf(profileWith({ filters: { "calls.batch_call_id": "works" } })).callsListingProves).toBe(
      true,
    );
  });

  it("ends an attempt with a word that it names, whose call then says what it came to", () => {
    const { endedItemWords } = effectsOf(profileWith({ ended_item_words: ["Rang Out"] }));
    const ended = item("rang-out", { completedAtMs: 1 });
    expect(readItem(ended)).toMatchObject({ phase: "unrecognised" });
    expect(readItem(ended, endedItemWords)).toMatchObject({ phase: "ended", disposition: undefined });
    const facts = { callId: "c", completedAtMs: 1 };
    expect(readOne(item("RANG_OUT", facts), { endedItemWords })).toMatchObject({
      undialed: [],
      up: [],
      wantCalls: [PHONE],
      findings: [{ outcome: { kind: "provisional" } }],
    });
    expect(readOne(item("RANG_OUT", facts), { endedItemWords, calls: [callOf("ended", 0)] })).toMatchObject({
      findings: [{ outcome: { kind: "ended", disposition: "no_answer" } }],
    });
  });

  it("names no word for an end that the product knows, and none without a letter", () => {
    const [known = ""] = Object.keys(ITEM_WORDS);
    const { endedItemWords } = effectsOf(
      profileWith({ ended_item_words: [known, "--", "Gone", "Rang Out"] }),
    );
    expect([...endedItemWords]).toEqual(["gone", "rang_out"]);
  });

  it("keeps the slot of a phone that is up where the word that it names was a mistake (I2)", () => {
    const { endedItemWords } = effectsOf(profileWith({ ended_item_words: ["live leg"] }));
    const live = item("live leg", { callId: "c", startedAtMs: 1 });
    for (const calls of [[], [callOf("ongoing", undefined)]]) {
      for (const state of ["open", "provisional"] as const) {
        expect(readOne(live, { endedItemWords, calls, state })).toMatchObject({
          up: [PHONE],
          wantCalls: [PHONE],
          findings: [{ outcome: { kind: "up" } }],
        });
      }
    }
    expect(readOne(live, { endedItemWords, calls: [callOf("ended", 30)] })).toMatchObject({
      up: [],
      findings: [{ outcome: { kind: "ended", disposition: "answered" } }],
    });
  });

  test("whatever it says, nobody counts as not dialed who did not before (I1), and known words stay", () => {
    const word = fc.oneof(fc.constantFrom(...Object.keys(ITEM_WORDS)), fc.string({ maxLength: 20 }));
    const anyProfile = fc.record({
      ended_item_words: fc.array(word, { maxLength: 5 }),
      page_limits: fc.dictionary(fc.constantFrom("items", "calls"), fc.oneof(fc.integer(), fc.string())),
      timings_ms: fc.dictionary(fc.constantFrom("pickup", "listing_behind_stream"), fc.double()),
      filters: fc.dictionary(fc.constantFrom("calls.batch_call_id"), fc.string()),
      stream: fc.anything(),
      undialed_item_words: fc.array(word),
    });
    const anyFacts = fc.record({
      callId: fc.constantFrom(undefined, "c"),
      dialCount: fc.constantFrom(undefined, 0, 1),
      startedAtMs: fc.constantFrom(undefined, 1),
      completedAtMs: fc.constantFrom(undefined, 2),
    });
    const anyCalls = fc.constantFrom([], [callOf("ongoing", undefined)], [callOf("ended", 30)]);
    fc.assert(
      fc.property(anyProfile, word, anyFacts, anyCalls, (fields, written, more, calls) => {
        // Words that the profile names are what it is about: half of the items say one of them.
        const [named] = fields.ended_item_words;
        const status = more.dialCount === 1 ? written : (named ?? written);
        const { endedItemWords, pageLimit, ...effects } = effectsOf(profileWith(fields));
        const facts = item(status, more);
        const before = readItem(facts);
        const after = readItem(facts, endedItemWords);
        if (before.phase !== "unrecognised") expect(after).toEqual(before);
        else expect(["unrecognised", "ended"]).toContain(after.phase);
        if (after.phase === "ended") expect(looksUndialed(facts)).toBe(false);
        const without = readOne(facts, { calls });
        const withWords = readOne(facts, { calls, endedItemWords });
        expect(withWords.undialed).toEqual(without.undialed);
        expect(withWords.missing).toEqual(without.missing);
        const isOver =
          facts.completedAtMs !== undefined ||
          (facts.callId !== undefined && calls.some(({ status: said }) => said === "ended"));
        if (isOver) expect(without.up).toEqual(expect.arrayContaining(withWords.up));
        else expect(withWords.up).toEqual(without.up);
        expect(pageLimit).toBeGreaterThanOrEqual(1);
        expect(pageLimit).toBeLessThanOrEqual(100);
        const pace = paceFor(paceAt(1), { ...NO_PROFILE, ...effects });
        expect(pace.quietMs).toBeGreaterThanOrEqual(paceAt(1).quietMs);
        expect(pace.startDoubtMs).toBeGreaterThanOrEqual(paceAt(1).startDoubtMs);
      }),
    );
  });
});

describe("a profile that is made again", () => {
  const careful = profileWith({
    made_at: "2026-10-01T09:00:00.000Z",
    phones_rung: 3,
    filters: { "calls.batch_call_id": "blind", "calls.status": "works" },
    timings_ms: { pickup: 90_000, listing_behind_stream: 20_000 },
    stream: { opens_with_header: true },
    ended_item_words: ["rang out", "lost"],
    page_limits: { items: 50 },
    page_refused: { items: 100 },
    words: { batch: [], item: ["rang out"], call: ["ended"], processing: [] },
  });

  it("keeps what it did not come to, and its date where no phone was rung", () => {
    const again = carriedOver(profileWith({ date_header: true }), careful, new Set());
    expect(effectsOf(again)).toEqual(effectsOf(careful));
    expect(again).toMatchObject({ made_at: careful.made_at, phones_rung: 3, date_header: true });
    expect(again.words).toEqual(careful.words);
  });

  it("goes by what it found itself", () => {
    const found = profileWith({
      phones_rung: 1,
      filters: { "calls.batch_call_id": "works", "calls.status": "unclear" },
      timings_ms: { pickup: 5_000 },
      ended_item_words: ["gone"],
      page_limits: { items: 200 },
    });
    const again = carriedOver(found, careful, new Set(["lost"]));
    expect(again).toMatchObject({
      made_at: MADE_AT,
      phones_rung: 1,
      filters: { "calls.batch_call_id": "works", "calls.status": "works" },
      timings_ms: { pickup: 5_000, listing_behind_stream: 20_000 },
      ended_item_words: ["gone", "rang out"],
    });
    expect(effectsOf(again).pageLimit).toBe(100);
  });

  it("keeps what was refused until it asked itself, list by list", () => {
    const earlier = profileWith({
      page_limits: { items: 50, calls: 20 },
      page_refused: { items: 100, calls: 50 },
    });
    const refused = (fields: Readonly<Record<string, unknown>>) =>
      carriedOver(profileWith(fields), earlier, new Set()).page_refused;
    expect(refused({})).toEqual({ items: 100, calls: 50 });
    expect(refused({ page_limits: { items: 200 }, page_refused: { items: 500 } })).toEqual({
      items: 500,
      calls: 50,
    });
    expect(refused({ page_limits: { items: 200, calls: 200 } })).toEqual({
      items: undefined,
      calls: undefined,
    });
  });

  it("keeps what it found, but can't say, and its own date where none rang a phone", () => {
    const again = carriedOver(profileWith({ timings_ms: { pickup: "soon" } }), careful, new Set());
    expect(again.timings_ms.pickup).toBe(90_000);
    const quiet = profileWith({ made_at: "2026-10-01T09:00:00.000Z" });
    expect(carriedOver(profileWith(), quiet, new Set()).made_at).toBe(MADE_AT);
  });

  it("keeps as many words as a file may hold, its own first", () => {
    const called = (what: string) => Array.from({ length: 150 }, (_, at) => `${what} ${at}`);
    const wordsOf = (what: string) => ({
      words: { batch: called(what), item: [], call: [], processing: [] },
    });
    const again = carriedOver(profileWith(wordsOf("new")), profileWith(wordsOf("old")), new Set());
    expect(again.words.batch).toEqual([...called("new"), ...called("old").slice(0, 50)]);
    expect(readPlatformProfile(again)).toEqual(again);
  });
});

describe("the file of a profile", () => {
  it("is read as far as it makes sense", () => {
    const edited = profileWith({
      page_limits: { items: "many" },
      words: 7,
      effects: { pause: 3 },
      future: {},
    });
    expect(effectsOf(edited)).toEqual(NO_PROFILE);
    for (const none of [undefined, null, "x", [], {}, { outdial_platform_profile: 2 }]) {
      expect(readPlatformProfile(none)).toBeUndefined();
    }
  });

  it("is about one platform: a sandbox's says nothing of the real one", () => {
    const profile = profileWith();
    expect(isAbout(profile, "https://API.voice.example.com/eu/")).toBe(true);
    expect(isAbout(profile, "https://api.voice.example.com/eu//")).toBe(true);
    expect(isAbout(profile, "https://api.voice.example.com")).toBe(false);
    expect(isAbout(profile, "http://127.0.0.1:8490")).toBe(false);
  });

  it("stands in the data folder, or where the settings say", async () => {
    const dataDir = temporaryFolder();
    const config = readConfig({ OUTDIAL_DATA_DIR: dataDir, PLATFORM_BASE_URL: BASE });
    expect(findProfile(config)).toMatchObject({ kind: "absent" });
    const file = path.join(dataDir, "platform-profile.json");
    await writeProfile(file, profileWith());
    expect(findProfile(config)).toMatchObject({ kind: "found", file });
    expect(fs.readdirSync(dataDir)).toEqual(["platform-profile.json"]);
    const other = readConfig({ OUTDIAL_DATA_DIR: dataDir, PLATFORM_BASE_URL: "http://127.0.0.1:8490" });
    expect(findProfile(other)).toMatchObject({ kind: "other_platform" });
    writeFile(dataDir, "platform-profile.json", "{");
    expect(findProfile(config)).toMatchObject({ kind: "unreadable" });
    const named = readConfig({ OUTDIAL_DATA_DIR: dataDir, OUTDIAL_PLATFORM_PROFILE: "/no/such/file.json" });
    expect(findProfile(named)).toEqual({ kind: "absent", file: "/no/such/file.json" });
  });
});

describe("a worker that starts", () => {
  const told: string[] = [];
  const log = {
    info: (_fields: object, message: string) => void told.push(message),
    warn: (_fields: object, message: string) => void told.push(message),
  };

  it("goes by the profile of its platform, and by no other one", async () => {
    const dataDir = temporaryFolder();
    const file = path.join(dataDir, "platform-profile.json");
    await writeProfile(file, profileWith({ page_limits: { calls: 20 }, page_refused: { calls: 50 } }));
    const named = { OUTDIAL_DATA_DIR: "/nowhere/at/all", OUTDIAL_PLATFORM_PROFILE: file };
    for (const environment of [{ OUTDIAL_DATA_DIR: dataDir }, named]) {
      const config = readConfig({ ...environment, PLATFORM_BASE_URL: BASE });
      expect(profileInForce(config, log)).toMatchObject({ pageLimit: 20 });
    }
    const other = { PLATFORM_BASE_URL: "http://127.0.0.1:8490" };
    const beside = readConfig({ OUTDIAL_DATA_DIR: dataDir, ...other });
    expect(profileInForce(beside, log)).toEqual(NO_PROFILE);
    expect(told).toContain("the profile is of another platform");
    expect(() => profileInForce(readConfig({ ...named, ...other }), log)).toThrow(
      /not about PLATFORM_BASE_URL/,
    );
  });

  it("starts with --sandbox where the settings name a profile of the platform", async () => {
    const file = path.join(temporaryFolder(), "profile.json");
    await writeProfile(file, profileWith({ page_limits: { calls: 20 }, page_refused: { calls: 50 } }));
    const config = readConfig({
      OUTDIAL_DATA_DIR: temporaryFolder(),
      OUTDIAL_PLATFORM_PROFILE: file,
      PLATFORM_BASE_URL: BASE,
    });
    const sandbox = await createSandbox();
    onTestFinished(() => sandbox.close());
    expect(profileInForce(config, log)).toMatchObject({ pageLimit: 20 });
    expect(profileInForce(sandboxSettings(config, sandbox, 60), log)).toEqual(NO_PROFILE);
  });

  it("does not start without a profile that its settings name, but does without one that nobody named", () => {
    const dataDir = temporaryFolder();
    const base = { OUTDIAL_DATA_DIR: dataDir, PLATFORM_BASE_URL: BASE };
    expect(profileInForce(readConfig(base), log)).toEqual(NO_PROFILE);
    const file = writeFile(dataDir, "platform-profile.json", "{}");
    expect(profileInForce(readConfig(base), log)).toEqual(NO_PROFILE);
    expect(told).toContain("the platform's profile can't be used");
    for (const [name, why] of [
      [file, "can't be used"],
      [path.join(dataDir, "none.json"), "there is no such file"],
    ] as const) {
      const config = readConfig({ ...base, OUTDIAL_PLATFORM_PROFILE: name });
      expect(() => profileInForce(config, log)).toThrow(why);
      expect(() => profileInForce(config, log)).toThrow("outdial qualify");
    }
  });
});

describe("doctor", () => {
  const folderWith = async (fields: Readonly<Record<string, unknown>>) => {
    const dataDir = temporaryFolder();
    await writeProfile(path.join(dataDir, "platform-profile.json"), profileWith(fields));
    return readConfig({ OUTDIAL_DATA_DIR: dataDir, PLATFORM_BASE_URL: BASE });
  };
  const DAY_MS = 24 * 60 * 60_000;

  it("shows a profile, its age and what it changes", async () => {
    const config = await folderWith({
      page_limits: { items: 50 },
      page_refused: { items: 100 },
      ended_item_words: ["Rang Out"],
    });
    const check = checkProfile(config, Date.parse(MADE_AT) + 3.5 * DAY_MS);
    expect(check).toMatchObject({
      status: "ok",
      detail: expect.stringMatching(
        /made 3 days ago \(2026-11-20\) by version 0\.1\.0; pages of 50; ends of items: rang_out$/,
      ),
    });
    expect(checkProfile(config, Date.parse(MADE_AT)).detail).toContain("made today");
  });

  it("warns of one that is old, of another platform, or damaged", async () => {
    const config = await folderWith({});
    expect(checkProfile(config, Date.parse(MADE_AT) + 91 * DAY_MS)).toMatchObject({ status: "warn" });
    const other = readConfig({ OUTDIAL_DATA_DIR: config.dataDir, PLATFORM_BASE_URL: "http://127.0.0.1:1" });
    expect(checkProfile(other, 0)).toMatchObject({ status: "warn", detail: expect.stringContaining(BASE) });
    writeFile(config.dataDir, "platform-profile.json", "[]");
    expect(checkProfile(config, 0)).toMatchObject({
      status: "warn",
      remedy: expect.stringContaining("qualify"),
    });
    const named = readConfig({ OUTDIAL_PLATFORM_PROFILE: path.join(config.dataDir, "none.json") });
    expect(checkProfile(named, 0)).toMatchObject({ status: "fail" });
    const file = path.join(config.dataDir, "other.json");
    await writeProfile(file, profileWith());
    const wrong = { OUTDIAL_PLATFORM_PROFILE: file, PLATFORM_BASE_URL: "http://127.0.0.1:1" };
    expect(checkProfile(readConfig(wrong), 0)).toMatchObject({ status: "fail" });
  });

  it("says so where there is none", async () => {
    const end = await outdial(["doctor", "--data-dir", temporaryFolder()], { PATH: "/nowhere" });
    expect(end.stdout).toMatch(/ok {4}profile +none/);
  });
});
