import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import type * as Rtc from "@livekit/rtc-node";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

import { createPlatform, joinChat } from "../../../src/platform/index.ts";
import type { Call, CallRoom, PlatformClient, RoomMessage } from "../../../src/platform/index.ts";
import { leaseRtc } from "../../../src/rtc/rtc.ts";
import { RoomApi } from "../../../src/sandbox/rooms/room-api.ts";
import { startRoomServer } from "../../../src/sandbox/rooms/room-server.ts";
import type { RoomServer } from "../../../src/sandbox/rooms/room-server.ts";
import { createSandbox } from "../../../src/sandbox/sandbox.ts";
import type { SandboxOptions } from "../../../src/sandbox/options.ts";
import type { Fault } from "../../../src/sandbox/faults.ts";
import { builtFolder } from "../../support/build.ts";
import { livekitServer } from "../../support/livekit.ts";
import { PATIENCE_MS } from "../../support/until.ts";
import { PUBLISHED_AGENT } from "../support.ts";
import { ears, HALF_A_SECOND, loudIn, openSandbox } from "./support.ts";

const executable = await livekitServer();

const OUTDIAL = fileURLToPath(new URL("../../../bin/outdial.mjs", import.meta.url));

/** A machine that has much else to do needs seconds for what takes a few hundred milliseconds. */
const BOUND_MS = 60_000;

/** Samples of sound. */
const FIVE_SECONDS = 240_000;

/** And a bit: what is counted here and what the sandbox counts are two clocks. */
const FIVE_SECONDS_MS = 5_100;

describe.skipIf(executable === null)("rooms on a real LiveKit server", () => {
  let server: RoomServer;

  beforeAll(async () => {
    server = await startRoomServer(executable ?? "");
  });

  afterAll(async () => {
    await server.stop();
  });

  const open = (options: SandboxOptions = {}) =>
    openSandbox({ rooms: { ...server.access, patienceMs: BOUND_MS }, ...options });

  const opened = { agent_id: PUBLISHED_AGENT, transport: "livekit" } as const;

  async function eventually<T>(look: () => Promise<T>): Promise<T> {
    return await vi.waitFor(look, { timeout: PATIENCE_MS, interval: 100 });
  }

  test("a chat of ten turns in a room is the same chat over REST: messages, counts, tokens, money and end", async () => {
    // Of one seed: whatever is drawn for the first session of one is drawn for that of the other.
    const [{ platform: plain }, { platform }] = [await open({ seed: 11 }), await open({ seed: 11 })];
    const turns = [
      "Hello",
      "How much is it?",
      "Who is a person there?",
      "Go on",
      "And then?",
      "Tell me more",
      "I see",
      "Call me back",
      "Fine",
      "Goodbye",
    ];
    const rest = await plain.chat.create({ agent_id: PUBLISHED_AGENT });
    for (const turn of turns) await plain.chat.send(rest.session_id, turn);
    const session = await platform.chat.create(opened);
    expect(session.greeting ?? undefined).toBeUndefined();
    const room = await platform.chat.join(session);
    const hear = ears(room);
    const said = [await hear()];
    for (const turn of turns) {
      await room.send(turn);
      said.push(await hear());
    }
    expect(await hear()).toBeUndefined();
    const [one, other] = await Promise.all([
      plain.chat.get(rest.session_id),
      platform.chat.get(session.session_id),
    ]);
    const counts = ({
      status,
      close_reason,
      message_count,
      agent_reply_count,
      total_tokens_in,
      total_tokens_out,
    }: typeof one) => ({
      status,
      close_reason,
      message_count,
      agent_reply_count,
      total_tokens_in,
      total_tokens_out,
    });
    expect(counts(other)).toEqual(counts(one));
    const words = ({ messages }: typeof one) => messages?.map(({ role, content }) => [role, content]);
    expect(words(other)).toEqual(words(one));
    expect(words(one)).toHaveLength(2 * turns.length + 1);
    expect(said).toEqual(
      other.messages?.filter(({ role }) => role === "assistant").map(({ content }) => content),
    );
    const spent = async (of: PlatformClient, id: string) => {
      const { items } = await of.billing.usage({ event_type: "chat_message" });
      return items
        .filter(({ reference_id }) => reference_id === id)
        .reduce((sum, { price_usd }) => sum + (price_usd ?? 0), 0);
    };
    expect(await spent(platform, session.session_id)).toBeGreaterThan(0);
    expect(await spent(platform, session.session_id)).toBeCloseTo(await spent(plain, rest.session_id), 9);
    await room.close();
  });

  test("the hundredth message is answered and is the last, as over REST", async () => {
    const { platform } = await open();
    const session = await platform.chat.create(opened);
    const room = await platform.chat.join(session);
    const hear = ears(room);
    await hear();
    for (let n = 1; n <= 100; n += 1) {
      await room.send(`Message ${n}`);
      expect(await hear(), `the answer to message ${n}`).toBeDefined();
    }
    expect(await hear()).toBeUndefined();
    expect(await platform.chat.get(session.session_id)).toMatchObject({
      status: "closed",
      close_reason: "message_cap",
      message_count: 201,
      agent_reply_count: 100,
    });
    expect(room.missed).toBe(0);
  });

  test("credits that run out end a chat, which says so, and a message has as many characters as over REST", async () => {
    const { sandbox, platform } = await open();
    const session = await platform.chat.create(opened);
    const room = await platform.chat.join(session);
    const hear = ears(room);
    await hear();
    // Three bytes each: it travels in several pieces.
    const longest = "語".repeat(4_000);
    await expect(room.send(`${longest}.`)).rejects.toMatchObject({ code: "invalid_request" });
    await room.send(longest);
    expect(await hear()).toBeDefined();
    expect((await platform.chat.get(session.session_id)).messages?.[1]?.content).toBe(longest);
    sandbox.setBalance(0);
    await room.send("How much is it?");
    expect(await hear()).toContain("not available");
    expect(await hear()).toBeUndefined();
    expect(await platform.chat.get(session.session_id)).toMatchObject({
      status: "closed",
      close_reason: "insufficient_credits",
      message_count: 5,
    });
  });

  test("a chat of which nothing was heard for long is idle, and goes on with the next message", async () => {
    // Five simulated minutes take half a second.
    const { platform } = await open({ speed: 600 });
    const session = await platform.chat.create(opened);
    const room = await platform.chat.join(session);
    const hear = ears(room);
    await hear();
    const idle = async () => {
      expect((await platform.chat.get(session.session_id)).status).toBe("idle");
    };
    await eventually(idle);
    await room.send("How much is it?");
    expect(await hear()).toContain("dollars");
    await eventually(idle);
    expect(await platform.chat.get(session.session_id)).toMatchObject({ message_count: 3 });
    await room.close();
  });

  test("a chat goes on where it was when its sandbox, which keeps its data, was started again", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-rooms-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    const options = { data: path.join(folder, "sandbox.json"), rooms: server.access, apiKeys: ["sk-again"] };
    const first = await createSandbox(options);
    const before = createPlatform({ baseUrl: first.url, wsUrl: first.wsUrl, apiKey: "sk-again" });
    const session = await before.chat.create(opened);
    const room = await before.chat.join(session);
    const hear = ears(room);
    await hear();
    await room.send("How much is it?");
    await hear();
    const call = await before.calls.web({ agent_id: PUBLISHED_AGENT });
    await first.close();
    await before.close();
    const second = await createSandbox(options);
    const platform = createPlatform({ baseUrl: second.url, wsUrl: second.wsUrl, apiKey: "sk-again" });
    onTestFinished(async () => {
      await platform.close();
      await second.close();
    });
    // Its token is as good as it was. Who was greeted is not greeted again.
    const again = await platform.chat.join(session);
    await again.send("Goodbye");
    const heard = ears(again);
    expect(await heard()).toBeDefined();
    expect(await heard()).toBeUndefined();
    expect(await platform.chat.get(session.session_id)).toMatchObject({
      status: "closed",
      close_reason: "agent_end_chat",
      message_count: 5,
    });
    // A call that waited for somebody is over: whoever held its token lost them.
    expect((await platform.calls.get(call.call_id)).status).toBe("failed");
  });

  test("a conversation is held from a terminal, by a process that has the client alone and ends with it", async () => {
    const { sandbox, platform } = await open();
    await builtFolder();
    const talk = spawn(
      process.execPath,
      [OUTDIAL, "platform", "chat", "talk", PUBLISHED_AGENT, "--room", "--json"],
      {
        env: { ...process.env, PLATFORM_BASE_URL: sandbox.url, PLATFORM_API_KEY: sandbox.apiKey },
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    onTestFinished(() => void talk.kill("SIGKILL"));
    // What was piped in after the goodbye has nobody to hear it, as over REST.
    talk.stdin.end("How much is it?\nGoodbye\nOne more\nAnd another\n");
    const [text, [code]] = await Promise.all([textOf(talk.stdout), once(talk, "exit")]);
    expect(code).toBe(0);
    const said = text
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as { role: string; content: string });
    const roles = said.map(({ role }) => role);
    expect(roles.slice(0, 5)).toEqual(["agent", "you", "agent", "you", "agent"]);
    // The first of them may be on its way before the agent has left.
    expect([[], ["you"]]).toContainEqual(roles.slice(5));
    expect(said[2]?.content).toContain("dollars");
    expect((await platform.chat.list()).items).toMatchObject([{ status: "closed", message_count: 5 }]);
  });

  test("a session that is closed over REST ends its room, and answers nothing any more", async () => {
    const { platform } = await open();
    const session = await platform.chat.create(opened);
    const room = await platform.chat.join(session);
    const hear = ears(room);
    expect(await hear()).toContain("assistant");
    await platform.chat.close(session.session_id);
    expect(await hear()).toBeUndefined();
    await expect(room.send("Still there?")).rejects.toMatchObject({ code: "connection" });
    // Its token is still good, and there is no room for it.
    await expect(platform.chat.join(session)).rejects.toMatchObject({ code: "connection" });
    expect(await platform.chat.get(session.session_id)).toMatchObject({ status: "closed", message_count: 1 });
  });

  test("a web call is heard, lasts as long as somebody was there, and is paid for", async () => {
    // A second there is four of the call, and what follows the call is over in two.
    const speed = 4;
    const { platform } = await open({ speed });
    const call = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
    expect((await platform.calls.get(call.call_id)).status).toBe("waiting");
    const beforeMs = performance.now();
    const room = await platform.calls.join(call);
    const lines = room.transcript()[Symbol.asyncIterator]();
    const first: IteratorResult<RoomMessage> = await lines.next();
    const beganMs = performance.now();
    let loud = 0;
    let hasAsked = false;
    for await (const { samples } of room.sound()) {
      // The greeting may be over before the first sound is here, and the answer to a question is not.
      if (!hasAsked) await room.write("How much is it?");
      hasAsked = true;
      loud += samples.filter((sample) => Math.abs(sample) > 200).length;
      if (loud > HALF_A_SECOND) break;
    }
    const second: IteratorResult<RoomMessage> = await lines.next();
    const leastS = (performance.now() - beganMs) / 1_000;
    await room.hangUp();
    const ended = await platform.calls.waitUntilProcessed(call.call_id, {
      everyMs: 200,
      withinMs: PATIENCE_MS,
    });
    const mostS = (performance.now() - beforeMs) / 1_000;
    expect(loud).toBeGreaterThan(HALF_A_SECOND);
    expect(ended).toMatchObject({
      status: "ended",
      transcript: [{ role: "agent" }, { role: "user", content: "How much is it?" }, { role: "agent" }],
    });
    const said = JSON.parse(JSON.stringify(ended.transcript));
    expect([first.value.content, second.value.content]).toEqual([said[0].content, said[2].content]);
    expect(ended.duration_seconds).toBeGreaterThanOrEqual(Math.floor(leastS * speed));
    expect(ended.duration_seconds).toBeLessThanOrEqual(Math.ceil(mostS * speed));
    // It costs what its seconds cost, as any call does.
    const { items: used } = await platform.billing.usage();
    const events = used.filter(({ reference_id }) => reference_id === call.call_id);
    const usd = events.reduce((sum, { price_usd }) => sum + (price_usd ?? 0), 0);
    expect(usd).toBeGreaterThan(0);
    expect(JSON.parse(JSON.stringify(ended.call_cost)).total_usd).toBeCloseTo(usd, 9);
  });

  const fiveSeconds: readonly {
    readonly who: string;
    readonly end: (platform: PlatformClient, call: Call, talk: CallRoom) => Promise<unknown>;
    readonly reason: string;
  }[] = [
    { who: "the caller", end: (_platform, _call, talk) => talk.hangUp(), reason: "user_hangup" },
    { who: "the agent", end: (_platform, _call, talk) => talk.write("Goodbye"), reason: "agent_hangup" },
    { who: "REST", end: ({ calls }, { call_id: id }) => calls.end(id), reason: "ended_by_request" },
  ];

  test.each(fiveSeconds)(
    "a web call of five seconds is heard, lasts as long as it did, and is over for both when $who ends it",
    async ({ end, reason }) => {
      const { platform } = await open();
      const call = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
      const beforeMs = performance.now();
      const talk = await platform.calls.join(call);
      await expect.poll(async () => (await platform.calls.get(call.call_id)).status).toBe("connected");
      const beganMs = performance.now();
      // The greeting may be over before its first sound is here, and the answer to a question is not.
      await talk.write("How much is it?");
      const heard = { samples: 0, loud: 0, sinceAsked: 0 };
      for await (const { samples } of talk.sound()) {
        heard.samples += samples.length;
        heard.loud += loudIn(samples);
        heard.sinceAsked += samples.length;
        const isLong = heard.samples >= FIVE_SECONDS && performance.now() - beganMs > FIVE_SECONDS_MS;
        const isHeard = heard.loud > HALF_A_SECOND;
        if (isLong && isHeard) break;
        if (!isHeard && heard.sinceAsked >= FIVE_SECONDS) {
          // A busy machine comes too late for a whole answer.
          heard.sinceAsked = 0;
          await talk.write("How much is it?");
        }
      }
      expect(await platform.calls.get(call.call_id)).toMatchObject({ status: "connected" });
      await end(platform, call, talk);
      await talk.closed;
      await expect.poll(async () => (await platform.calls.get(call.call_id)).status).toBe("ended");
      const mostS = (performance.now() - beforeMs) / 1_000;
      const rest = talk.sound()[Symbol.asyncIterator]();
      while ((await rest.next()).done !== true);
      await expect(talk.write("Still there?")).rejects.toMatchObject({ code: "connection" });
      await expect(platform.calls.join(call)).rejects.toMatchObject({ code: "connection" });
      const ended = await platform.calls.waitUntilProcessed(call.call_id, {
        everyMs: 200,
        withinMs: PATIENCE_MS,
      });
      expect(ended).toMatchObject({ status: "ended", call_analysis: { disconnection_reason: reason } });
      expect(ended.duration_seconds).toBeGreaterThanOrEqual(5);
      expect(ended.duration_seconds).toBeLessThanOrEqual(Math.ceil(mostS));
    },
  );

  test("the agent hangs up when it is told goodbye, and a request to end a call ends its room", async () => {
    const { platform } = await open({ speed: 10 });
    const temp_config = { greeting_message: "Yes?" };
    const one = await platform.calls.test({ agent_id: PUBLISHED_AGENT, temp_config });
    const first = await platform.calls.join(one);
    await first.write("Goodbye");
    await first.closed;
    const ended = await platform.calls.waitUntilProcessed(one.call_id, {
      everyMs: 200,
      withinMs: PATIENCE_MS,
    });
    expect(ended.call_analysis).toMatchObject({ disconnection_reason: "agent_hangup" });
    const two = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
    const second = await platform.calls.join(two);
    await platform.calls.end(two.call_id);
    await second.closed;
    expect((await platform.calls.get(two.call_id)).status).toMatch(/ended|failed/);
  });

  test("a call ends when its agent's longest call is over, or the credits are", async () => {
    // A simulated minute takes a second.
    const { sandbox, platform } = await open({ speed: 60 });
    const temp_config = { max_call_duration_ms: 60_000 };
    const capped = await platform.calls.test({ agent_id: PUBLISHED_AGENT, temp_config });
    await (
      await platform.calls.join(capped)
    ).closed;
    const ended = await platform.calls.get(capped.call_id);
    expect(ended.status).toBe("ended");
    expect(ended.duration_seconds).toBeGreaterThanOrEqual(60);
    const paid = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
    const room = await platform.calls.join(paid);
    sandbox.setBalance(0.000_001);
    await room.closed;
    expect((await platform.calls.get(paid.call_id)).status).toBe("ended");
  });

  test("a token that expired is refused, and what nobody could join ends by itself", async () => {
    const { sandbox, platform } = await open({ rooms: { ...server.access, patienceMs: 6_000 } });
    sandbox.faults.add({ kind: "room_token_expired", times: 2 });
    const session = await platform.chat.create(opened);
    await expect(platform.chat.join(session)).rejects.toMatchObject({ code: "connection" });
    const call = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
    await expect(platform.calls.join(call)).rejects.toMatchObject({ code: "connection" });
    await eventually(async () => {
      expect((await platform.calls.get(call.call_id)).status).toBe("failed");
      expect((await platform.chat.get(session.session_id)).status).toBe("closed");
    });
  });

  test("whoever stops joining is answered at once, and whoever stops reading is not kept", async () => {
    const { platform } = await open();
    const session = await platform.chat.create(opened);
    // It takes connections, and says nothing.
    const joining = new AbortController();
    const hole = net.createServer(() => joining.abort(new Error("enough")));
    await new Promise<void>((resolve) => hole.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void hole.close());
    const { port } = hole.address() as net.AddressInfo;
    const nowhere = { ...session, room_url: `ws://127.0.0.1:${port}` };
    await expect(platform.chat.join(nowhere, { signal: joining.signal })).rejects.toMatchObject({
      code: "aborted",
    });
    await expect(platform.chat.join(session, { signal: joining.signal })).rejects.toMatchObject({
      code: "aborted",
    });
    const reading = new AbortController();
    const hear = ears(await platform.chat.join(session, { signal: reading.signal }));
    expect(await hear()).toContain("assistant");
    const next = hear();
    reading.abort();
    expect(await next).toBeUndefined();
    // It is left, and not closed: the same session is joined again.
    const again = await platform.chat.join(session);
    await again.send("How much?");
    await again.close();
  });

  test("a room that is dropped as it is joined is no call, and nobody waits for it", async () => {
    const { sandbox, platform } = await open();
    sandbox.faults.add({ kind: "room_drops", after_ms: 0 });
    const call = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
    const end = await platform.calls.join(call).then(
      (joined) => joined.closed,
      (error: unknown) => error,
    );
    if (end !== undefined) expect(end).toMatchObject({ code: "connection" });
    await eventually(async () => {
      expect((await platform.calls.get(call.call_id)).status).toMatch(/^(?:ended|failed)$/);
    });
  });

  test("what is spoken is what was given, at the rate there is, and nothing after the end", async () => {
    const { platform } = await open();
    const call = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
    const talk = await platform.calls.join(call);
    // Somebody else who listens in.
    const lease = await leaseRtc();
    onTestFinished(() => lease.release());
    const listener = lease.library.openRoom();
    const { room_name: name = "" } = call;
    const token = await new RoomApi(server.access).token({
      room: name,
      identity: "listener",
      media: "audio",
      wallMs: Date.now(),
    });
    const heard = { loud: false };
    listener.on("trackSubscribed", (track) => {
      void (async () => {
        // The agent's voice is a fraction of it.
        for await (const { data } of lease.library.listen(track, 48_000))
          heard.loud ||= data.filter((sample) => Math.abs(sample) > 20_000).length > data.length / 4;
      })();
    });
    await listener.connect(server.access.url, token, { autoSubscribe: true, dynacast: false });
    // Silence, and behind it a loud tone, of which pieces are spoken.
    const samples = new Int16Array(96_000);
    for (let at = 48_000; at < samples.length; at += 1)
      samples[at] = Math.round(32_000 * Math.sin((2 * Math.PI * 440 * at) / 48_000));
    await expect(talk.speak({ samples, sampleRate: 16_000 })).rejects.toMatchObject({
      code: "invalid_request",
      fieldErrors: [{ field: "sampleRate" }],
    });
    while (!heard.loud) {
      for (let at = 48_000; at < samples.length; at += 960)
        await talk.speak({ samples: samples.subarray(at, at + 960), sampleRate: 48_000 });
    }
    await listener.disconnect();
    await talk.hangUp();
    await expect(talk.speak({ samples, sampleRate: 48_000 })).rejects.toMatchObject({
      code: "connection",
      effect: "did_not_happen",
    });
  });

  test("a client that is closed leaves its rooms, and one that is joined elsewhere says so", async () => {
    const { sandbox, platform } = await open();
    const session = await platform.chat.create(opened);
    const first = ears(await platform.chat.join(session));
    await first();
    const other = createPlatform({ baseUrl: sandbox.url, wsUrl: sandbox.wsUrl, apiKey: sandbox.apiKey });
    const second = await other.chat.join(session);
    await expect(first()).rejects.toMatchObject({
      code: "connection",
      message: expect.stringContaining("elsewhere"),
    });
    const call = await other.calls.web({ agent_id: PUBLISHED_AGENT });
    const talk = await other.calls.join(call);
    // The agent is there, too: whoever leaves before was on no call.
    await talk.transcript()[Symbol.asyncIterator]().next();
    await other.close();
    await talk.closed;
    expect(await ears(second)()).toBeUndefined();
    await eventually(async () => {
      expect((await platform.calls.get(call.call_id)).status).toBe("ended");
    });
    // Idle it may be by now, if the machine took its time.
    expect((await platform.chat.get(session.session_id)).status).not.toBe("closed");
  });

  test("a message that never ends keeps no room open, and nobody else from being answered", async () => {
    const { platform } = await open();
    const session = await platform.chat.create(opened);
    const lease = await leaseRtc();
    onTestFinished(() => lease.release());
    const room = lease.library.openRoom() as Rtc.Room;
    const ended = new Promise<void>((resolve) => {
      room.on("disconnected", () => resolve());
    });
    const { access_token: token = "", room_url: url = "" } = session;
    await room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const writer = await room.localParticipant?.streamText({ topic: "lk.chat" });
    await writer?.write("This is the beginning of");
    await room.localParticipant?.sendText("How much is it?", { topic: "lk.chat" });
    await eventually(async () => {
      expect((await platform.chat.get(session.session_id)).message_count).toBeGreaterThanOrEqual(2);
    });
    const again = await room.localParticipant?.streamText({ topic: "lk.chat" });
    await again?.write("And this is");
    await platform.chat.close(session.session_id);
    await ended;
  });

  test("a call that was up when its sandbox was killed lasted until then", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-rooms-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    const [data, killed] = ["sandbox.json", "killed.json"].map((name) => path.join(folder, name));
    // Its agent hangs up after ten simulated minutes: a file in which it is up is seen before, however slow the machine.
    const speed = 2;
    const shared = { rooms: server.access, apiKeys: ["sk-again"], speed };
    const first = await createSandbox({ ...shared, data: data ?? "" });
    const before = createPlatform({ baseUrl: first.url, wsUrl: first.wsUrl, apiKey: "sk-again" });
    const call = await before.calls.web({ agent_id: PUBLISHED_AGENT });
    const beganMs = performance.now();
    await before.calls.join(call);
    // What a kill leaves: the file as it is then.
    const copiedMs = await eventually(async () => {
      const text = fs.readFileSync(data ?? "", "utf8");
      expect(text).toMatch(/"saved_at_ms":\d/);
      expect(text).toContain('"connected"');
      fs.writeFileSync(killed ?? "", text);
      return performance.now();
    });
    await before.close();
    await first.close();
    const second = await createSandbox({ ...shared, data: killed ?? "" });
    const platform = createPlatform({ baseUrl: second.url, wsUrl: second.wsUrl, apiKey: "sk-again" });
    onTestFinished(async () => {
      await platform.close();
      await second.close();
    });
    const ended = await platform.calls.waitUntilEnded(call.call_id, { everyMs: 50 });
    expect(ended.status).toBe("ended");
    expect(ended.duration_seconds).toBeLessThanOrEqual(Math.ceil(((copiedMs - beganMs) / 1_000) * speed));
  });

  test("a server that is started again while it is stopped is not left behind", async () => {
    const own = await startRoomServer(executable ?? "");
    const { url } = own.access;
    const restarts = Promise.all([own.restart(), own.restart()]);
    await own.stop();
    await restarts;
    await expect(fetch(url.replace("ws:", "http:"))).rejects.toThrow("fetch failed");
  });

  const endings: readonly { fault: Fault; status: string; patienceMs: number }[] = [
    { fault: { kind: "agent_never_joins" }, status: "failed", patienceMs: 6_000 },
    { fault: { kind: "room_drops", after_ms: 2_000 }, status: "ended", patienceMs: BOUND_MS },
  ];

  test.each(endings)(
    "with $fault.kind a call is $status and a chat closed, and nothing hangs",
    async ({ fault, status, patienceMs }) => {
      const { sandbox, platform } = await open({ rooms: { ...server.access, patienceMs } });
      sandbox.faults.add(fault);
      const call = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
      const talk = await platform.calls.join(call);
      const session = await platform.chat.create(opened);
      const chat = await platform.chat.join(session);
      await talk.closed;
      const hear = ears(chat);
      while ((await hear()) !== undefined);
      await eventually(async () => {
        expect(await platform.calls.get(call.call_id)).toMatchObject({ status });
        const closed = await platform.chat.get(session.session_id);
        expect(closed.status).toBe("closed");
        expect(closed.close_reason ?? null).toBeNull();
      });
    },
  );

  test("an agent that greets late is spoken to before, and does not greet then", async () => {
    const { sandbox, platform } = await open();
    sandbox.faults.add({ kind: "agent_greets_late", ms: BOUND_MS });
    const session = await platform.chat.create(opened);
    const room = await platform.chat.join(session);
    await room.send("How much?");
    expect(await ears(room)()).toContain("dollars");
    await room.close();
    expect(await platform.chat.get(session.session_id)).toMatchObject({ message_count: 2, status: "closed" });
  });

  test("an agent that greets late greets then, on a call as in a chat", async () => {
    const { sandbox, platform } = await open();
    sandbox.faults.add({ kind: "agent_greets_late", ms: 1_500, times: 2 });
    const session = await platform.chat.create(opened);
    expect(await ears(await platform.chat.join(session))()).toContain("assistant");
    const call = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
    const joined = await platform.calls.join(call);
    const lines = joined.transcript()[Symbol.asyncIterator]();
    expect((await lines.next()).done).not.toBe(true);
    await joined.hangUp();
  });

  test("a call whose LiveKit server was killed is over once its caller leaves, and nothing hangs", async () => {
    const { sandbox, platform } = await open({ rooms: { server: executable ?? "", patienceMs: 6_000 } });
    const call = await platform.calls.web({ agent_id: PUBLISHED_AGENT });
    const joined = await platform.calls.join(call);
    sandbox.faults.add({ kind: "room_server_restarts" });
    await joined.hangUp();
    await joined.closed;
    await eventually(async () => {
      expect((await platform.calls.get(call.call_id)).status).toMatch(/^(?:ended|failed)$/);
    });
  });

  test("a chat goes on after its LiveKit server was killed and started again", async () => {
    const { sandbox, platform } = await open({ rooms: { server: executable ?? "", patienceMs: BOUND_MS } });
    const session = await platform.chat.create(opened);
    const room = await platform.chat.join(session);
    const hear = ears(room);
    await hear();
    sandbox.faults.add({ kind: "room_server_restarts" });
    await eventually(async () => {
      await room.send("How much?");
      const { message_count: count } = await platform.chat.get(session.session_id);
      expect(count).toBeGreaterThanOrEqual(3);
    });
    expect(await hear()).toContain("dollars");
    await room.close();
  });

  describe("on a server that makes rooms for whoever comes, as LiveKit's do unless they are told not to", () => {
    let lenient: RoomServer;
    let folder = "";

    beforeAll(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-rooms-"));
      const started = path.join(folder, "livekit-server");
      const change = `printf %s "$LIVEKIT_CONFIG" | sed 's/"auto_create":false/"auto_create":true/'`;
      const script = `#!/bin/sh\nLIVEKIT_CONFIG=$(${change}) exec '${executable ?? ""}'\n`;
      fs.writeFileSync(started, script, { mode: 0o755 });
      lenient = await startRoomServer(started);
    });

    afterAll(async () => {
      await lenient.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    async function roomNames(): Promise<readonly string[]> {
      const { url, apiKey, apiSecret } = lenient.access;
      const token = await new SignJWT({ video: { roomList: true } })
        .setProtectedHeader({ alg: "HS256" })
        .setIssuer(apiKey)
        .setExpirationTime("60s")
        .sign(new TextEncoder().encode(apiSecret));
      const answer = await fetch(`${url.replace("ws", "http")}/twirp/livekit.RoomService/ListRooms`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: "{}",
      });
      const { rooms = [] } = (await answer.json()) as { rooms?: { name: string }[] };
      return rooms.map(({ name }) => name);
    }

    /** A session whose agent is ours, in a room that nobody opened; REST says `active` for so many looks. */
    async function sessionOf(name: string, looks: number) {
      const api = new RoomApi(lenient.access);
      const token = (identity: string) =>
        api.token({ room: name, identity, media: "text", wallMs: Date.now() });
      const ticket = { session_id: name, room_url: lenient.access.url, access_token: await token("user") };
      const session = ticket as Parameters<typeof joinChat>[1];
      const asked = { times: 0 };
      type Chat = PlatformClient["chat"];
      const chat = {
        get: async () => {
          asked.times += 1;
          const status = asked.times > looks ? "closed" : "active";
          return { session_id: name, status } as Awaited<ReturnType<Chat["get"]>>;
        },
        close: async () => ({ session_id: name }) as Awaited<ReturnType<Chat["close"]>>,
      };
      const lease = await leaseRtc();
      const agent = lease.library.openRoom();
      await agent.connect(lenient.access.url, await token("agent"), {
        autoSubscribe: false,
        dynacast: false,
      });
      onTestFinished(async () => {
        await agent.disconnect();
        await lease.release();
        await api.delete(name);
      });
      return { api, agent, session, chat, asked };
    }

    test("a session that is over makes no room any more, nor does its token", async () => {
      const { platform } = await open({ rooms: lenient.access });
      const session = await platform.chat.create(opened);
      const hear = ears(await platform.chat.join(session));
      await hear();
      expect(await roomNames()).toContain(session.room_name);
      await platform.chat.close(session.session_id);
      expect(await hear()).toBeUndefined();
      expect(await roomNames()).not.toContain(session.room_name);
      await expect(platform.chat.join(session)).rejects.toMatchObject({
        code: "connection",
        message: expect.stringContaining("what it is for is over"),
      });
    });

    test("a room that was ended before REST says so is not made anew", async () => {
      const { api, session, chat, asked } = await sessionOf("ended-early", 2);
      const hear = ears(await joinChat(chat, session));
      expect(asked.times, "in a room where somebody is, nothing is asked").toBe(0);
      await api.delete("ended-early");
      expect(await hear()).toBeUndefined();
      expect(asked.times).toBe(3);
      expect(await roomNames()).not.toContain("ended-early");
    });

    test("one whose session goes on is joined again, and is over when REST says so", async () => {
      // Six looks after the end, one before it is joined again, one when it is, and nobody is there.
      const { api, session, chat } = await sessionOf("goes-on", 8);
      const hear = ears(await joinChat(chat, session));
      await api.delete("goes-on");
      const end = hear();
      await expect.poll(roomNames).toContain("goes-on");
      expect(await end).toBeUndefined();
    });

    test("what is written where nobody reads waits for somebody, and is refused where the room is left", async () => {
      const { api, agent, session, chat } = await sessionOf("nobody-reads", Infinity);
      await agent.disconnect();
      const left = await joinChat(chat, session);
      const refused = left.send("Is anybody there?").catch((error: unknown) => error);
      await left.close();
      expect(await refused).toMatchObject({ code: "connection", effect: "did_not_happen" });
      const room = await joinChat(chat, session);
      const sent: string[] = [];
      const send = async (content: string) => {
        await room.send(content);
        sent.push(content);
      };
      const both = Promise.all([send("Is anybody there?"), send("Hello?")]);
      // A message takes the way of this question in a fraction of its time.
      await api.reachesAll("nobody-reads");
      expect(sent).toEqual([]);
      const lease = await leaseRtc();
      const late = lease.library.openRoom();
      const token = await api.token({
        room: "nobody-reads",
        identity: "late",
        media: "text",
        wallMs: Date.now(),
      });
      await late.connect(lenient.access.url, token, { autoSubscribe: false, dynacast: false });
      await both;
      expect(sent).toEqual(["Is anybody there?", "Hello?"]);
      await late.disconnect();
      await lease.release();
      await room.close();
    });

    test("where the agent left and the room stays, it is over when REST says so", async () => {
      const { agent, session, chat, asked } = await sessionOf("agent-left", 1);
      const hear = ears(await joinChat(chat, session));
      await agent.disconnect();
      expect(await hear()).toBeUndefined();
      expect(asked.times).toBe(2);
    });
  });

  test("while the server is away what needs a room is a 503, the call has failed, and the chat is closed", async () => {
    const away = await startRoomServer(executable ?? "");
    const { platform } = await open({ rooms: away.access });
    await away.stop();
    const unavailable = { code: "unavailable", status: 503, detail: expect.stringContaining("LiveKit") };
    await expect(platform.calls.web({ agent_id: PUBLISHED_AGENT })).rejects.toMatchObject(unavailable);
    await expect(platform.chat.create(opened)).rejects.toMatchObject(unavailable);
    expect((await platform.calls.list()).items).toMatchObject([{ status: "failed" }]);
    expect((await platform.chat.list()).items).toMatchObject([{ status: "closed" }]);
    expect((await platform.billing.usage()).items).toEqual([]);
    // What needs none goes on.
    expect((await platform.chat.create({ agent_id: PUBLISHED_AGENT })).greeting).toBeDefined();
  });

  test("a sandbox that is not trusted by the server it is given does not start", async () => {
    const rooms = { ...server.access, apiSecret: "not its secret, and as long as one has to be" };
    await expect(createSandbox({ rooms })).rejects.toThrow(/rooms: the LiveKit server at .* refuses .* 401/);
    await expect(createSandbox({ rooms: { ...rooms, url: "ws://127.0.0.1:1" } })).rejects.toThrow(
      /does not answer/,
    );
  });
});
