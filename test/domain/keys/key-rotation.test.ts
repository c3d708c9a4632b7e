import { expect, it } from "vitest";

import {
  afterEvent,
  endOfKey,
  KEY_ROTATION_STATES,
  type KeyRotationEvent,
  lostKeys,
  mayRotate,
  prefixOf,
  recogniseKey,
  warnedDays,
} from "../../../src/domain/keys/key-rotation.ts";
import { momentOf } from "../../../src/platform/moments.ts";

const EVENTS: readonly KeyRotationEvent[] = ["stored", "lost", "switched", "verified", "ended", "failed"];

it("a rotation goes through its states in one direction, and can't fail once the new key is in use", () => {
  const table = KEY_ROTATION_STATES.map((state) => [
    state,
    EVENTS.flatMap((event) => {
      const next = afterEvent(state, event);
      return next === undefined ? [] : [`${event}: ${next}`];
    }),
  ]);
  expect(Object.fromEntries(table)).toEqual({
    rotating: ["stored: stored", "failed: failed"],
    stored: ["lost: rotating", "switched: switched", "failed: failed"],
    switched: ["verified: verified"],
    verified: ["ended: done"],
    done: [],
    failed: [],
  });
});

it("a key is recognised by its beginning, however the platform shows it, and never guessed", () => {
  const keys = [
    { id: "a", key_prefix: "vk_live_abc..." },
    { id: "b", key_prefix: "vk_live_xyz****" },
    { id: "c", key_prefix: "vk_live_" },
    { id: "d" },
  ];
  expect(recogniseKey("vk_live_abcdef", keys, undefined)).toMatchObject({ kind: "found", key: { id: "a" } });
  expect(recogniseKey("vk_live_q", keys, undefined)).toMatchObject({ kind: "found", key: { id: "c" } });
  expect(recogniseKey("other", keys, undefined)).toEqual({ kind: "none" });
  const alike = [...keys, { id: "e", key_prefix: "vk_live_abc" }];
  expect(recogniseKey("vk_live_abcdef", alike, undefined).kind).toBe("several");
  expect(recogniseKey("vk_live_abcdef", alike, "e")).toMatchObject({ kind: "found", key: { id: "e" } });
});

it("fewer than four letters of a key tell nothing, nor do the stars and dots that stand for the rest", () => {
  const alone = (shown: string) => recogniseKey("sk_1234", [{ id: "a", key_prefix: shown }], undefined).kind;
  expect(["sk_1", "sk_1•••", "sk_1…", "sk_1**.."].map(alone)).toEqual(["found", "found", "found", "found"]);
  expect(["sk_", "sk_...", "****", "", "sk*_1"].map(alone)).toEqual(["none", "none", "none", "none", "none"]);
  expect([prefixOf("sk_live****"), prefixOf("sk_"), prefixOf(undefined)]).toEqual([
    "sk_live",
    undefined,
    undefined,
  ]);
});

it("of keys that begin alike the one with more of the beginning is it, in whatever order they are shown", () => {
  const less = { id: "less", key_prefix: "vk_live_" };
  const more = { id: "more", key_prefix: "vk_live_abc***" };
  const most = { id: "most", key_prefix: "vk_live_abcd" };
  for (const keys of [
    [less, more, most],
    [most, more, less],
    [more, most, less],
  ]) {
    expect(recogniseKey("vk_live_abcdef", keys, undefined)).toEqual({ kind: "found", key: most });
    expect(recogniseKey("vk_live_abcdef", keys, "less")).toEqual({ kind: "found", key: most });
  }
  const twin = { id: "twin", key_prefix: "vk_live_abcd..." };
  expect(recogniseKey("vk_live_abcdef", [most, twin], "another")).toEqual({
    kind: "several",
    keys: [most, twin],
  });
  expect(recogniseKey("vk_live_abcdef", [most, twin], "twin")).toEqual({ kind: "found", key: twin });
});

it("only unused keys that came since under the old one's name count as lost, and never the one in use", () => {
  const rotation = {
    knownKeyIds: ["old", "others"],
    oldKeyId: "old",
    oldKeyName: "outdial",
    newKeyId: "new",
  };
  const base = { name: "outdial", key_prefix: "sk_lost", usage_count: 0 };
  const shown = [
    { ...base, id: "old" },
    { ...base, id: "others" },
    { ...base, id: "new" },
    { ...base, id: "lost" },
    { ...base, id: "used", usage_count: 1 },
    { ...base, id: "used at some time", last_used_at: "2027-01-01T00:00:00Z" },
    { ...base, id: "named", name: "crm" },
    { ...base, id: "off", is_active: false },
    { ...base, id: "in use", key_prefix: "sk_inuse" },
  ];
  expect(lostKeys(shown, rotation, "sk_inuse_123").map(({ id }) => id)).toEqual(["lost"]);
  // One of which the platform shows no count and no state; the old one, though nobody wrote down that it was known.
  const { usage_count: _count, ...uncounted } = base;
  expect(
    lostKeys(
      [
        { ...uncounted, id: "lost", is_active: true },
        { ...base, id: "old" },
        { ...base, id: "lost too" },
      ],
      { ...rotation, knownKeyIds: [] },
      "sk_inuse_123",
    ).map(({ id }) => id),
  ).toEqual(["lost", "lost too"]);
});

it("people are told a month, a week and a day ahead, of the earlier of expiry and grace", () => {
  const DAY_MS = 86_400_000;
  const NOW_MS = Date.UTC(2027, 4, 1);
  expect([31, 30, 8, 7, 1.1, 1, -1].map((days) => warnedDays(NOW_MS + days * DAY_MS, NOW_MS))).toEqual([
    undefined,
    30,
    30,
    7,
    7,
    1,
    1,
  ]);
  expect(warnedDays(undefined, NOW_MS)).toBeUndefined();
  const ends = { id: "a", expires_at: "2027-06-01T00:00:00Z", grace_period_ends_at: "2027-05-01T00:00:00Z" };
  expect(endOfKey(ends, momentOf)).toBe(Date.parse("2027-05-01T00:00:00Z"));
  expect(endOfKey({ id: "a", expires_at: "never" }, momentOf)).toBeUndefined();
  expect(endOfKey({ id: "a", expires_at: ends.expires_at }, momentOf)).toBe(Date.parse(ends.expires_at));
});

it("writing keys, deleting them and everything allow a rotation", () => {
  expect([["*"], ["api_keys:write"], ["api_keys:delete"], []].map((scopes) => mayRotate({ scopes }))).toEqual(
    [true, true, true, true],
  );
  expect(mayRotate({ scopes: ["agents:read", "api_keys:write"] })).toBe(true);
  expect(mayRotate({ scopes: ["api_keys:read", "agents:write"] })).toBe(false);
  expect(mayRotate({ scopes: undefined })).toBe(true);
});
