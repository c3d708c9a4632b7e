import fs from "node:fs";
import os from "node:os";
import path from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { livekitServer } from "../../support/livekit.ts";
import { PATIENCE_MS } from "../../support/until.ts";
import { PUBLISHED_AGENT } from "../support.ts";
import { clientOf, ears, HALF_A_SECOND, loudIn, openSandbox } from "./support.ts";

const executable = await livekitServer();

describe.skipIf(executable === null)("a LiveKit server that is killed under a call and a chat", () => {
  /** An executable of the server that, once it is held, does not start until it is let go. */
  function holdable(): { server: string; hold: () => void; letGo: () => void } {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-rooms-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
    const [server, held] = [path.join(folder, "livekit-server"), path.join(folder, "held")];
    const script = `#!/bin/sh\nwhile [ -e '${held}' ]; do sleep 0.1; done\nexec '${executable ?? ""}'\n`;
    fs.writeFileSync(server, script, { mode: 0o755 });
    return { server, hold: () => fs.writeFileSync(held, ""), letGo: () => fs.rmSync(held) };
  }

  /** Both were joined and greeted, and their server is killed and does not start. */
  async function cutOff(patienceMs: number) {
    const { server, hold, letGo } = holdable();
    const { sandbox, platform } = await openSandbox({ rooms: { server, patienceMs } });
    const caller = clientOf(sandbox);
    const call = await caller.calls.web({ agent_id: PUBLISHED_AGENT });
    const session = await caller.chat.create({ agent_id: PUBLISHED_AGENT, transport: "livekit" });
    const beforeMs = performance.now();
    const talk = await caller.calls.join(call);
    await expect.poll(async () => (await platform.calls.get(call.call_id)).status).toBe("connected");
    const connectedMs = performance.now();
    const chat = await caller.chat.join(session);
    const hear = ears(chat);
    expect(await hear()).toBeDefined();
    const isUp = () =>
      fetch((call.room_url ?? "").replace(/^ws/, "http")).then(
        ({ ok }) => ok,
        () => false,
      );
    hold();
    sandbox.faults.add({ kind: "room_server_restarts" });
    await expect.poll(isUp).toBe(false);
    return {
      platform,
      caller,
      call,
      session,
      talk,
      chat,
      hear,
      isUp,
      letGo,
      look: async () => ({
        call: (await platform.calls.get(call.call_id)).status,
        chat: (await platform.chat.get(session.session_id)).status,
      }),
      /** The call once it is through, which is over by now; it has lasted no longer than since it was joined. */
      ended: async () => {
        const mostS = Math.ceil((performance.now() - beforeMs) / 1_000);
        const through = await platform.calls.waitUntilProcessed(call.call_id, {
          everyMs: 200,
          withinMs: PATIENCE_MS,
        });
        expect(through.status).toBe("ended");
        expect(through.duration_seconds).toBeLessThanOrEqual(mostS);
        return through;
      },
      secondsSinceConnected: () => Math.floor((performance.now() - connectedMs) / 1_000),
    };
  }

  test("and is there again goes on with whoever is back, and what was used is charged once", async () => {
    const { platform, call, session, talk, chat, hear, letGo, look, ended, secondsSinceConnected } =
      await cutOff(PATIENCE_MS);
    const heard = { loud: 0, line: "" };
    const listening = (async () => {
      for await (const { samples } of talk.sound()) heard.loud += loudIn(samples);
    })();
    const reading = (async () => {
      for await (const { content } of talk.transcript()) heard.line = content;
    })();
    letGo();
    // What is written before both are back reaches nobody, and so is written again.
    let answer = "";
    const answered = hear().then((content = "nothing more") => (answer = content));
    const writeOn = async () => {
      if (!heard.line.includes("dollars")) await talk.write("How much is it?").catch(() => {});
      if (answer === "") await chat.send("Who is a person there?").catch(() => {});
      return { call: heard.line, chat: answer };
    };
    await expect
      .poll(writeOn, { interval: 1_000 })
      .toEqual({ call: expect.stringContaining("dollars"), chat: expect.stringContaining("colleague") });
    await expect.poll(() => heard.loud).toBeGreaterThan(HALF_A_SECOND);
    expect(await look()).toEqual({ call: "connected", chat: "active" });
    const leastS = secondsSinceConnected();
    await talk.hangUp();
    await Promise.all([listening, reading, answered]);
    const through = await ended();
    expect(through.call_analysis).toMatchObject({ disconnection_reason: "user_hangup" });
    expect(through.duration_seconds).toBeGreaterThanOrEqual(leastS);
    await chat.close();
    const closed = await platform.chat.get(session.session_id);
    const replies = closed.messages?.filter(({ role }) => role === "user").length ?? 0;
    expect(closed).toMatchObject({
      status: "closed",
      message_count: 2 * replies + 1,
      agent_reply_count: replies,
    });
    const { items } = await platform.billing.usage({ limit: 100 });
    const used = (id: string) => items.filter(({ reference_id }) => reference_id === id);
    const ofCall = used(call.call_id);
    expect(new Set(ofCall.map(({ event_type }) => event_type)).size).toBe(ofCall.length);
    expect(used(session.session_id)).toHaveLength(replies);
  });

  test("and is there again has lost whoever is not back", async () => {
    const { caller, talk, hear, isUp, letGo, look, ended } = await cutOff(6_000);
    // Nobody is told of it.
    await caller.close();
    await talk.closed;
    expect(await hear()).toBeUndefined();
    letGo();
    await expect.poll(look).toEqual({ call: "ended", chat: "closed" });
    expect(await isUp()).toBe(true);
    expect((await ended()).call_analysis).toMatchObject({ disconnection_reason: "user_hangup" });
  });

  test("and does not come back takes both with it", async () => {
    const { talk, hear, look, ended } = await cutOff(PATIENCE_MS);
    await expect.poll(look).toEqual({ call: "ended", chat: "closed" });
    await talk.closed;
    // Whoever came to the end of their tries before that was known is told of the connection.
    const last = await hear().catch((error: { code?: string }) => error.code);
    expect([undefined, "connection"]).toContain(last);
    expect((await ended()).call_analysis).toMatchObject({ disconnection_reason: "room_closed" });
  });
});
