import { sql } from "drizzle-orm";
import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";

import { rows } from "../../../src/ledger/ground/connection.ts";
import { given, describeSomeLedger } from "../../support/ledgers.ts";
import { freshPhones, plan, running } from "../../ledger/support/scenario.ts";
import { until } from "../../support/until.ts";
import { openApi, openSandbox, platformAt, type TestApi } from "../support.ts";

const AGENT = "11111111-1111-4111-8111-111111111111";

describeSomeLedger("recordings of calls", (ledger) => {
  /** Somebody on a list, whose attempt is the call with this id. */
  async function booked(callId: string) {
    const [phone = ""] = freshPhones(1);
    const campaign = await running(ledger(), [phone]);
    await plan(ledger(), campaign);
    await rows(
      ledger().db,
      sql`update attempts set call_id = ${callId} where campaign_id = ${campaign}::uuid`,
    );
    return { phone, campaign };
  }

  /** A platform that says of any recording what this answers. */
  async function platformThat(answers: (request: IncomingMessage, response: ServerResponse) => void) {
    const server = http.createServer(answers);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    });
    const { port } = server.address() as AddressInfo;
    return openApi(ledger(), { platform: platformAt(`http://127.0.0.1:${port}`, "key") });
  }

  const listen = ({ app }: TestApi, callId: string, range?: string) =>
    app.inject({ url: `/v1/calls/${callId}/recording`, headers: range === undefined ? {} : { range } });

  it("come whole or in parts, as players ask, and whoever listens stands in the audit once an hour", async () => {
    const { sandbox, platform } = await openSandbox();
    let nowMs = Date.now();
    const api = await openApi(ledger(), { platform, now: () => nowMs });
    sandbox.outcomes.force("+12025550199", [{ outcome: "answered", talk_ms: 9_000 }]);
    const { call_id: id } = await platform.calls.phone({
      agent_id: AGENT,
      from_number: "+12025550100",
      to_number: "+12025550199",
    });
    await until("it to be processed", async () => {
      const { processing_status: status } = await platform.calls.get(id);
      return status === "completed";
    });
    const { phone } = await booked(id);
    expect((await api.app.inject({ url: `/v1/calls/${id}` })).json()).toMatchObject({
      platform: { has_recording: true },
    });

    const whole = await listen(api, id);
    const original = Buffer.concat(await (await platform.calls.recording(id)).body.toArray());
    expect([whole.statusCode, whole.headers["content-type"]]).toEqual([200, "audio/ogg"]);
    expect(whole.rawPayload.equals(original)).toBe(true);
    expect(whole.headers).toMatchObject({ "accept-ranges": "bytes", "cache-control": "no-store" });

    const part = await listen(api, id, "bytes=100-299");
    expect([part.statusCode, part.headers["content-range"]]).toEqual([
      206,
      `bytes 100-299/${original.length}`,
    ]);
    expect(part.rawPayload.equals(original.subarray(100, 300))).toBe(true);
    const behind = await listen(api, id, `bytes=${original.length}-`);
    expect([behind.statusCode, behind.json<{ code: string }>().code]).toEqual([422, "invalid_request"]);
    // Two parts at once, or none that is written right, is answered with all of it.
    for (const range of ["bytes=0-1,5-6", "lines=1-2", "bytes=x"])
      expect((await listen(api, id, range)).statusCode).toBe(200);

    const looks = () =>
      rows<{ detail: Record<string, unknown> }>(
        ledger().db,
        sql`select detail from audit where action = 'call.recording' and detail ->> 'call' = ${id}`,
      );
    expect(await looks()).toHaveLength(1);
    expect(JSON.stringify(await looks())).not.toContain(phone);
    nowMs += 61 * 60_000;
    await listen(api, id);
    expect(await looks()).toHaveLength(2);
  });

  it("are handed out of calls that the ledger knows, where the platform has one", async () => {
    const { platform } = await openSandbox();
    const api = await openApi(ledger(), { platform });
    const unknown = await listen(api, "nobody-s");
    expect([unknown.statusCode, unknown.json<{ code: string }>().code]).toEqual([404, "unknown_call"]);
    await booked("call-without-sound");
    const silent = await listen(api, "call-without-sound");
    expect([silent.statusCode, silent.json<{ code: string }>().code]).toEqual([404, "not_found"]);
    expect(silent.json<{ detail: string }>().detail).toContain("no recording");
  });

  it("are sound to a browser, whatever the platform says that they are", async () => {
    let type = "";
    const api = await platformThat((_, response) => {
      response.writeHead(200, { "content-type": type }).end("<script>alert(1)</script>");
    });
    await booked("call-of-any-type");
    for (const [said, shown] of [
      ["text/html", "application/octet-stream"],
      ["image/svg+xml", "application/octet-stream"],
      ["audio/ogg; codecs=opus", "audio/ogg; codecs=opus"],
      ["audio/x-wav", "audio/x-wav"],
    ]) {
      type = given(said);
      const { headers } = await listen(api, "call-of-any-type");
      expect([headers["content-type"], headers["x-content-type-options"]]).toEqual([shown, "nosniff"]);
    }
  });

  it("are never a part that is taken for the whole", async () => {
    let says = "";
    const api = await platformThat((request, response) => {
      if (request.headers.range === undefined)
        response.writeHead(206, { ...(says !== "" && { "content-range": says }) }).end("a part");
      else response.writeHead(200, { "content-length": "5" }).end("whole");
    });
    await booked("call-in-parts");
    const part = await listen(api, "call-in-parts");
    expect([part.statusCode, part.json<{ code: string }>().code]).toEqual([502, "platform_failed"]);
    // Two ranges are asked for as none: whoever does is not given one of them.
    says = "bytes 0-5/100";
    const unasked = await listen(api, "call-in-parts", "bytes=0-1,4-5");
    expect(unasked.statusCode).toBe(502);
    // A platform that gives no parts gives the whole, and it is said to be that.
    const whole = await listen(api, "call-in-parts", "bytes=2-3");
    expect([whole.statusCode, whole.body, whole.headers["content-range"]]).toEqual([200, "whole", undefined]);
  });

  it("are handed out to eight at once, and to the ninth once one of them is done or gone", async () => {
    const waiting: ServerResponse[] = [];
    const api = await platformThat((_, response) => {
      response.writeHead(200, { "content-type": "audio/ogg" });
      response.write("OggS");
      waiting.push(response);
    });
    await booked("call-that-is-long");
    const url = await api.app.listen({ port: 0, host: "127.0.0.1" });
    const listening = Array.from({ length: 8 }, () => new AbortController());
    const answers = await Promise.all(
      listening.map(({ signal }) => fetch(`${url}/v1/calls/call-that-is-long/recording`, { signal })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    const ninth = await listen(api, "call-that-is-long");
    expect([ninth.statusCode, ninth.json<{ code: string }>().code]).toEqual([503, "busy"]);
    expect(ninth.headers["retry-after"]).toBeDefined();
    // One leaves in the middle: their place is free, and the platform's connection with it.
    const [left] = listening;
    const closed = new Promise((resolve) => {
      for (const response of waiting) response.once("close", resolve);
    });
    given(left).abort();
    await closed;
    await until("a place to be free", async () => {
      const again = new AbortController();
      const { status } = await fetch(`${url}/v1/calls/call-that-is-long/recording`, { signal: again.signal });
      again.abort();
      return status === 200;
    });
    for (const one of listening.slice(1)) one.abort();
  });
});
