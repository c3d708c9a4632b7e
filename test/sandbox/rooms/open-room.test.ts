import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { RtcLibrary, RtcParticipant, RtcRoom } from "../../../src/rtc/library.ts";
import type { Clock } from "../../../src/sandbox/clock.ts";
import { Faults } from "../../../src/sandbox/faults.ts";
import { OpenRoom } from "../../../src/sandbox/rooms/open-room.ts";
import type { RoomApi } from "../../../src/sandbox/rooms/room-api.ts";

/* When whoever joins is greeted: of how long LiveKit takes until words reach them, no test can be sure. */

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Somebody has joined, whom words reach as the server says. */
async function joinedBy(media: "audio" | "text", reachesAll: () => Promise<boolean>) {
  const room = {
    isConnected: true,
    remoteParticipants: new Map<string, RtcParticipant>(),
    on() {},
    registerTextStreamHandler() {},
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
  } as unknown as RtcRoom;
  const library = {
    openRoom: () => room,
    openSource: () => ({ clearQueue() {}, close: () => Promise.resolve() }),
    publish: () => Promise.resolve({}),
  } as unknown as RtcLibrary;
  const clock = {
    afterReal: (durationMs: number, run: () => void) => setTimeout(run, durationMs),
    cancel() {},
    wait: (durationMs: number) =>
      new Promise<void>((resolve) => {
        setTimeout(resolve, durationMs);
      }),
  } as unknown as Clock;
  let asked = 0;
  const api = {
    access: { url: "ws://127.0.0.1:1" },
    create: () => Promise.resolve(),
    delete: () => Promise.resolve(),
    token: () => Promise.resolve(""),
    reachesAll() {
      asked += 1;
      return reachesAll();
    },
  } as unknown as RoomApi;
  let greeted = 0;
  const troubles: unknown[] = [];
  const opened = new OpenRoom({
    name: "room",
    api,
    library,
    clock,
    faults: new Faults(),
    patienceMs: 60_000,
    conversation: {
      media,
      begin() {},
      greet: () => Promise.resolve(void (greeted += 1)),
      said: () => Promise.resolve(),
      tooLong: () => Promise.resolve(),
      left: null,
      over() {},
    },
    onTrouble: (error) => void troubles.push(error),
    onClosed() {},
  });
  await opened.open();
  opened.joined();
  return { opened, troubles, greeted: () => greeted, asked: () => asked };
}

test.each(["text", "audio"] as const)("is once words reach them, over %s, and once", async (media) => {
  let isReached = false;
  const { opened, greeted, asked } = await joinedBy(media, () => Promise.resolve(isReached));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(greeted()).toBe(0);
  expect(asked()).toBeGreaterThan(20);
  isReached = true;
  await vi.advanceTimersByTimeAsync(100);
  expect(greeted()).toBe(1);
  const before = asked();
  opened.joined();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([greeted(), asked()]).toEqual([1, before]);
});

test("is after fifteen seconds where the server never says so", async () => {
  const { greeted } = await joinedBy("text", () => Promise.resolve(false));
  await vi.advanceTimersByTimeAsync(14_000);
  expect(greeted()).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(greeted()).toBe(1);
});

test("is at once where the server can't be asked, which is told", async () => {
  const { greeted, troubles } = await joinedBy("text", () => Promise.reject(new Error("away")));
  await vi.advanceTimersByTimeAsync(1);
  expect(greeted()).toBe(1);
  expect(troubles).toHaveLength(1);
});

test("is not any more once the room ends, and nobody is asked for it", async () => {
  const { opened, greeted, asked } = await joinedBy("audio", () => Promise.resolve(false));
  await vi.advanceTimersByTimeAsync(1_000);
  await opened.close();
  await vi.advanceTimersByTimeAsync(100);
  const before = asked();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([greeted(), asked()]).toEqual([0, before]);
});
