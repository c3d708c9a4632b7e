import { sql } from "drizzle-orm";
import { once } from "node:events";
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { expect, it, onTestFinished, vi } from "vitest";

import { messagesIn } from "../../../src/cli/api/events.ts";
import { cursorOf } from "../../../src/http/cursor.ts";
import { readPlace, type EventFilter } from "../../../src/http/event-view.ts";
import { createLiveEvents, MOST_LISTENERS_A_TOKEN } from "../../../src/http/live-events.ts";
import { BEAT_EVERY_MS, type EventPageWire } from "../../../src/http/wire/events.ts";
import {
  BEGINNING,
  forgetEvents,
  forgottenThrough,
  isBefore,
  type Place,
} from "../../../src/ledger/events/events.ts";
import { writeEvent } from "../../../src/ledger/ground/write-events.ts";
import { rows, type Ledger } from "../../../src/ledger/ground/connection.ts";
import { untilTold } from "../../ledger/support/told.ts";
import { counted } from "../../ledger/support/counted.ts";
import { freshPhones, running } from "../../ledger/support/scenario.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { openGuarded, SYSTEM_TOKEN } from "../access/support.ts";

/** An event, which is told by then. */
async function note(ledger: Ledger, brand: string, phone: string, nowMs = Date.now()): Promise<void> {
  await ledger.transaction((tx) =>
    writeEvent(
      tx,
      { type: "consent.withdrawn", brand, data: { actor: "test", phone, reason: `asked by ${phone}` } },
      nowMs,
    ),
  );
  await untilTold(ledger);
}

const hereOf = async (ledger: Ledger) => cursorOf(await untilTold(ledger));

/** An API that listens, and its listeners. */
async function listening(ledger: Ledger, changes: Parameters<typeof openGuarded>[1] = {}) {
  const guarded = await openGuarded(ledger, changes);
  await guarded.api.app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = guarded.api.app.server.address() as AddressInfo;
  const agent = new http.Agent({ maxSockets: 1_000 });
  onTestFinished(() => agent.destroy());
  const listen = async (path: string, token = SYSTEM_TOKEN, headers: Record<string, string> = {}) => {
    const request = http.get({
      port,
      path: `/v1/events/stream${path}`,
      agent,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    onTestFinished(() => void request.destroy());
    return { response, messages: messagesIn(response) };
  };
  return { ...guarded, listen };
}

/** A ledger whose next statement waits when it is told to. */
function holding(ledger: Ledger) {
  let next: { reached: () => void; release: Promise<void> } | undefined;
  const db = new Proxy(ledger.db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (name !== "execute") return value.bind(target);
      return async (...given: unknown[]) => {
        const held = next;
        next = undefined;
        held?.reached();
        await held?.release;
        return value.apply(target, given) as unknown;
      };
    },
  });
  const hold = () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isReached = new Promise<void>((resolve) => {
      next = { reached: resolve, release: released };
    });
    return { isReached, release };
  };
  return { ledger: { ...ledger, db }, hold };
}

/** The live feed of a ledger, and who listens to it without a connection between. */
function liveOf(ledger: Ledger) {
  const live = createLiveEvents({
    ledger,
    sessions: { idleMs: 60_000, lifeMs: 60_000, publicUrl: undefined },
    log: { warn: () => {} } as never,
    now: Date.now,
  });
  onTestFinished(() => live.stop());
  const listener = (place: Place, filter: EventFilter = {}) => {
    const raw = new PassThrough();
    const joined = live.join({
      raw: raw as unknown as ServerResponse,
      filter,
      isMasked: false,
      callerName: "test",
      tokenId: undefined,
      sessionId: undefined,
      place,
    });
    return { raw, joined, messages: messagesIn(raw) };
  };
  return { live, listener };
}

type Messages = Awaited<ReturnType<Awaited<ReturnType<typeof listening>>["listen"]>>["messages"];

async function nextEvent(
  messages: Messages,
): Promise<{ id: string; event: string; data: { data: { phone: string } } }> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done === true) throw new Error("the stream ended");
    if (value.event?.includes("."))
      return { id: given(value.id), event: value.event, data: JSON.parse(given(value.data)) as never };
  }
}

describeSomeLedger("the feed of events over HTTP", (ledger) => {
  it("is read page by page for ever, each event once", async () => {
    const { ask } = await openGuarded(ledger());
    let after = await hereOf(ledger());
    const page = async (query: Record<string, string> = {}) => {
      const answer = await ask({ url: "/v1/events", query: { after, ...query } });
      expect(answer.statusCode, answer.body).toBe(200);
      const found = answer.json<EventPageWire>();
      after = found.next_after;
      return [...found.items.map(({ data }) => data["phone"]), found.more];
    };
    expect(await page()).toEqual([false]);
    for (const last of [1, 2, 3]) await note(ledger(), "default", `+1202555017${last}`);
    await untilTold(ledger());
    expect(await page({ limit: "2" })).toEqual(["+12025550171", "+12025550172", true]);
    expect(await page({ limit: "2" })).toEqual(["+12025550173", false]);
    expect(await page()).toEqual([false]);
    await note(ledger(), "other", "+12025550174");
    await note(ledger(), "default", "+12025550175");
    await untilTold(ledger());
    expect(await page({ brand: "default", types: "consent.withdrawn" })).toEqual(["+12025550175", false]);
  });

  it("refuses a place that is none, a type that is none, and a place behind which some was forgotten", async () => {
    const { ask } = await openGuarded(ledger());
    const errorOf = async (query: Record<string, string>) => {
      const answer = await ask({ url: "/v1/events", query });
      return [answer.statusCode, answer.json<{ code: string; detail: string }>()] as const;
    };
    expect((await errorOf({ after: "none" }))[0]).toBe(422);
    expect((await errorOf({ types: "call.ended,call.lost" }))[1].detail).toContain("call.lost");
    const here = await untilTold(ledger());
    const before = cursorOf(here);
    await note(ledger(), "default", "+12025550176", 1_000);
    await note(ledger(), "default", "+12025550177");
    // What whatever else is under way in the database holds back is forgotten when that is over.
    const forget = async () => {
      await ledger().transaction((tx) => forgetEvents(tx, Date.now() + 60_000));
      return isBefore(here, (await forgottenThrough(ledger().db)) ?? BEGINNING);
    };
    await expect.poll(forget).toBe(true);
    const [status, { code, detail }] = await errorOf({ after: before });
    expect([status, code]).toEqual([410, "events_gone"]);
    const again = given(/after=([\w-]+)/.exec(detail)?.[1]);
    expect((await ask({ url: "/v1/events", query: { after: again } })).statusCode).toBe(200);
  });

  it("shows viewers no number and callers of a brand no other's", async () => {
    const { ask, makeToken } = await openGuarded(ledger());
    const after = await hereOf(ledger());
    await note(ledger(), "default", "+12025550178");
    await note(ledger(), "other", "+12025550179");
    const viewer = await makeToken("viewer");
    const seen = await ask({ url: "/v1/events", query: { after } }, viewer.secret);
    expect(seen.body).not.toContain("2025550178");
    expect(seen.json<EventPageWire>().items[0]?.data).toMatchObject({ actor: "test", phone: "+12***78" });
    const other = await makeToken("operator", { brands: ["other"] });
    const own = await ask({ url: "/v1/events", query: { after } }, other.secret);
    expect(own.json<EventPageWire>().items.map(({ data }) => data["phone"])).toEqual(["+12025550179"]);
    expect((await ask({ url: "/v1/events", query: { brand: "default" } }, other.secret)).statusCode).toBe(
      403,
    );
  });
});

describeSomeLedger("the live feed", (ledger) => {
  it("says first from where on it tells: behind all that it does not tell", async () => {
    const { listen } = await listening(ledger());
    await note(ledger(), "default", "+12025550165");
    const here = await untilTold(ledger());
    const first = async (path: string) => {
      const { messages } = await listen(path);
      const { value } = await messages.next();
      return value as { id?: string; event?: string; data?: string };
    };
    const now = await first("");
    expect(now).toMatchObject({ event: "listening", data: "{}" });
    expect(isBefore(readPlace(given(now.id)), here)).toBe(false);
    const before = cursorOf(BEGINNING);
    expect(await first(`?after=${before}`)).toMatchObject({ event: "listening", id: before });
  });

  it("tells what happens, and goes on behind the last event that a reader had", async () => {
    const { listen } = await listening(ledger());
    const { messages, response } = await listen("?types=consent.withdrawn");
    expect(response.headers["content-type"]).toContain("text/event-stream");
    await note(ledger(), "default", "+12025550180");
    const first = await nextEvent(messages);
    expect([first.event, first.data.data.phone]).toEqual(["consent.withdrawn", "+12025550180"]);
    response.destroy();
    await note(ledger(), "default", "+12025550181");
    await note(ledger(), "default", "+12025550182");
    const again = await listen("", SYSTEM_TOKEN, { "last-event-id": first.id });
    expect((await nextEvent(again.messages)).data.data.phone).toBe("+12025550181");
    expect((await nextEvent(again.messages)).data.data.phone).toBe("+12025550182");
  });

  it("asks the ledger no more for 200 readers than for one, and tells all of them", async () => {
    const { ledger: counting, take } = counted(ledger());
    const { listen } = await listening(counting);
    const turn = async (readers: number, phone: string) => {
      const streams = await Promise.all(Array.from({ length: readers }, () => listen("")));
      take();
      await note(ledger(), "default", phone);
      const told = await Promise.all(streams.map(({ messages }) => nextEvent(messages)));
      expect(new Set(told.map(({ data }) => data.data.phone))).toEqual(new Set([phone]));
      const statements = take();
      for (const { response } of streams) response.destroy();
      return statements;
    };
    const one = await turn(1, "+12025550183");
    const many = await turn(200, "+12025550184");
    // A look a second, for as long as it took: on a machine that is busy some more of them.
    expect(one).toBeGreaterThan(0);
    expect(many).toBeLessThan(one + 20);
  });

  it("masks numbers for viewers, and holds callers of a brand to it", async () => {
    const { listen, makeToken } = await listening(ledger());
    const viewer = await listen("", (await makeToken("viewer")).secret);
    const other = await listen("", (await makeToken("operator", { brands: ["other"] })).secret);
    await note(ledger(), "default", "+12025550185");
    await note(ledger(), "other", "+12025550186");
    expect((await nextEvent(viewer.messages)).data.data).toMatchObject({
      phone: "+12***85",
      reason: expect.not.stringContaining("5550185") as string,
    });
    expect((await nextEvent(other.messages)).data.data.phone).toBe("+12025550186");
  });

  it("shows viewers no number in a campaign's name", async () => {
    const { listen, makeToken } = await listening(ledger());
    const viewer = await listen("?types=campaign.created", (await makeToken("viewer")).secret);
    const [phone = "", ...others] = freshPhones(2);
    await running(ledger(), others, { name: `calls to ${phone.slice(1)}` });
    const told = JSON.stringify(await nextEvent(viewer.messages));
    expect(told).toContain("calls to ");
    expect(told).not.toContain(phone.slice(2));
  });

  it("says every so often that it is there, also to whoever is still brought up to now", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { ledger: slow, hold } = holding(ledger());
    const { listener } = liveOf(slow);
    const place = await untilTold(ledger());
    const look = hold();
    const { messages, joined } = listener(place);
    await look.isReached;
    expect((await messages.next()).value).toMatchObject({ event: "listening", id: cursorOf(place) });
    vi.advanceTimersByTime(BEAT_EVERY_MS);
    const beat = { event: "still_here", id: cursorOf(place), data: "{}" };
    expect((await messages.next()).value).toEqual(beat);
    look.release();
    await joined;
    vi.advanceTimersByTime(BEAT_EVERY_MS);
    expect((await messages.next()).value).toEqual(beat);
  });

  it("loses nothing for whoever comes back while a look of those who left is under way", async () => {
    const { ledger: slow, hold } = holding(ledger());
    const { listener } = liveOf(slow);
    const place = await untilTold(ledger());
    const first = listener(place);
    await first.joined;
    const look = hold();
    await look.isReached;
    first.raw.destroy();
    await once(first.raw, "close");
    await note(ledger(), "default", "+12025550187");
    const again = listener(place);
    look.release();
    expect((await nextEvent(again.messages)).data.data.phone).toBe("+12025550187");
  });

  it("begins behind all there is, however long ago somebody asked where that was", async () => {
    const { live } = liveOf(ledger());
    const before = await live.head();
    await note(ledger(), "default", "+12025550188");
    expect(isBefore(before, await live.head())).toBe(true);
  });

  it("gives whoever comes back what it missed no faster than it takes that", async () => {
    const { listener } = liveOf(ledger());
    const place = await untilTold(ledger());
    const other = listener(place, { types: new Set(["consent.withdrawn"]) });
    await other.joined;
    await rows(
      ledger().db,
      sql`insert into events (era, at, type, data)
          select coalesce((select event_era from installation), 1), now(), 'credit.exhausted',
            jsonb_build_object('reason', n || repeat(' of many', 60)) from generate_series(1, 3000) n`,
    );
    await note(ledger(), "default", "+12025550189");
    expect((await nextEvent(other.messages)).data.data.phone).toBe("+12025550189");
    const late = listener(place);
    for (let n = 1; n <= 3_000; n += 1)
      expect((await nextEvent(late.messages)).event).toBe("credit.exhausted");
    expect((await nextEvent(late.messages)).data.data.phone).toBe("+12025550189");
    await late.joined;
  });

  it("lets no more listen with one token than may, though they come at once", async () => {
    const { listen, makeToken } = await listening(ledger());
    const { secret } = await makeToken("viewer");
    const streams = await Promise.all(
      Array.from({ length: MOST_LISTENERS_A_TOKEN + 3 }, () => listen("", secret)),
    );
    const refused = streams.filter(({ response }) => response.statusCode !== 200);
    expect(refused.map(({ response }) => response.statusCode)).toEqual([429, 429, 429]);
  });

  it("ends at once when the server does", async () => {
    const { listen, api } = await listening(ledger());
    const { messages } = await listen("");
    const beganMs = Date.now();
    await api.app.close();
    for await (const _ of messages);
    expect(Date.now() - beganMs).toBeLessThan(5_000);
  });
});
