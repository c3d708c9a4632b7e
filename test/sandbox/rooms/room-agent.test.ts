import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { LEFT } from "../../../src/rtc/library.ts";
import type { RtcLibrary, RtcParticipant, RtcRoom } from "../../../src/rtc/library.ts";
import type { Clock, Timer } from "../../../src/sandbox/clock.ts";
import { RoomAgent } from "../../../src/sandbox/rooms/room-agent.ts";

/* Who is waited for, and from when: of a server that is away for so long, and of LiveKit's library, no test can be sure. */

const CALLER: RtcParticipant = { identity: "caller" };
const CUT_OFF: RtcParticipant = { identity: "caller", disconnectReason: 0 };

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function agentIn() {
  const listeners = new Map<string, (told?: RtcParticipant) => void>();
  const remoteParticipants = new Map<string, RtcParticipant>();
  const room = {
    isConnected: true,
    remoteParticipants,
    on: (event: string, listener: (told?: RtcParticipant) => void) => listeners.set(event, listener),
    registerTextStreamHandler() {},
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
  } as unknown as RtcRoom;
  const library = { openRoom: () => room } as unknown as RtcLibrary;
  const told: string[] = [];
  // The timers of the test, which the sandbox's own clock does not go by.
  const clock = {
    afterReal(durationMs: number, run: () => void): Timer {
      const timer: Timer = { dueMs: durationMs, sequence: 0, run };
      setTimeout(() => timer.run?.(), durationMs);
      return timer;
    },
    cancel(timer: Timer | null) {
      if (timer !== null) timer.run = null;
    },
  } as Clock;
  const agent = new RoomAgent({
    library,
    clock,
    url: "ws://127.0.0.1:1",
    token: "",
    speaks: false,
    talk: {
      joined: () => void told.push("joined"),
      said: () => Promise.resolve(),
      left: () => void told.push("left"),
      lost: () => void told.push("lost"),
    },
    onTrouble: () => {},
  });
  const tell = (event: string, who?: RtcParticipant) => listeners.get(event)?.(who);
  tell("participantConnected", CALLER);
  return { agent, told, tell, remoteParticipants };
}

test("who was cut off is waited for for fifteen seconds, and who left is not", () => {
  const { told, tell } = agentIn();
  tell("participantDisconnected", CUT_OFF);
  vi.advanceTimersByTime(14_900);
  expect(told).toEqual(["joined"]);
  vi.advanceTimersByTime(200);
  expect(told).toEqual(["joined", "left"]);
  tell("participantConnected", CALLER);
  tell("participantDisconnected", { ...CALLER, disconnectReason: LEFT.byItself });
  expect(told).toEqual(["joined", "left", "joined", "left"]);
});

test("while the agent itself is cut off nobody's time runs: it begins when the agent is back", () => {
  const { told, tell } = agentIn();
  tell("participantDisconnected", CUT_OFF);
  vi.advanceTimersByTime(10_000);
  tell("reconnecting");
  vi.advanceTimersByTime(40_000);
  tell("reconnected");
  vi.advanceTimersByTime(14_900);
  expect(told).toEqual(["joined"]);
  vi.advanceTimersByTime(200);
  expect(told).toEqual(["joined", "left"]);
});

test("whoever is there when the agent is back was not away", () => {
  const { told, tell, remoteParticipants } = agentIn();
  tell("reconnecting");
  tell("participantDisconnected", CUT_OFF);
  remoteParticipants.set(CALLER.identity, CALLER);
  tell("reconnected");
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["joined"]);
});

test("an agent that left waits for nobody", async () => {
  const { agent, told, tell } = agentIn();
  tell("participantDisconnected", CUT_OFF);
  await agent.leave();
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["joined"]);
});
