import { expect, test } from "vitest";
import type { z } from "zod";

import { oggBytes, oggSeconds, oggSize } from "../../src/sandbox/ogg.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { callResponse } from "../../src/sandbox/schemas/calls.ts";
import { ask, CALLER_ID, eventually, get, openSandbox, phone, PUBLISHED_AGENT } from "./support.ts";

type Call = z.output<typeof callResponse>;

async function processedCall(sandbox: Sandbox, outcome: "answered" | "no_answer"): Promise<Call> {
  sandbox.outcomes.force(phone(1), [outcome]);
  const { call_id: id } = await get(callResponse, sandbox, "POST", "/v1/calls/phone", {
    agent_id: PUBLISHED_AGENT,
    from_number: CALLER_ID,
    to_number: phone(1),
  });
  return await eventually(async () => {
    const call = await get(callResponse, sandbox, "GET", `/v1/calls/${id}`);
    expect(call.processing_status).toBe("completed");
    return call;
  });
}

async function download(sandbox: Sandbox, url: string, range?: string): Promise<Response> {
  return await fetch(url, {
    headers: { authorization: `Bearer ${sandbox.apiKey}`, ...(range === undefined ? {} : { range }) },
  });
}

/** Walks the pages of an Ogg stream as RFC 3533 has them, and checks each checksum bit by bit. */
function pagesOf(file: Buffer): { flags: number; position: number; sequence: number; body: Buffer }[] {
  const pages = [];
  for (let at = 0; at < file.length;) {
    expect(file.toString("latin1", at, at + 4)).toBe("OggS");
    const segments = file.readUInt8(at + 26);
    const lengths = file.subarray(at + 27, at + 27 + segments);
    const bodyAt = at + 27 + segments;
    const end = bodyAt + lengths.reduce((sum, length) => sum + length, 0);
    const page = Buffer.from(file.subarray(at, end));
    const expected = page.readUInt32LE(22);
    page.writeUInt32LE(0, 22);
    let crc = 0n;
    for (const byte of page) {
      crc ^= BigInt(byte) << 24n;
      for (let bit = 0; bit < 8; bit += 1) {
        crc = (crc & 0x8000_0000n) === 0n ? crc << 1n : ((crc << 1n) ^ 0x04c1_1db7n) & 0xffff_ffffn;
      }
    }
    expect(Number(crc & 0xffff_ffffn)).toBe(expected);
    pages.push({
      flags: file.readUInt8(at + 5),
      position: Number(file.readBigUInt64LE(at + 6)),
      sequence: file.readUInt32LE(at + 18),
      body: file.subarray(bodyAt, end),
    });
    at = end;
  }
  return pages;
}

test("the recording of a call is an Ogg Opus file, as long as the call", async () => {
  const sandbox = await openSandbox();
  const call = await processedCall(sandbox, "answered");
  expect(call.recording_url).toBe(`${sandbox.url}/v1/calls/${call.call_id}/recording`);
  const response = await download(sandbox, call.recording_url ?? "");
  expect(response.headers.get("content-type")).toBe("audio/ogg");
  const file = Buffer.from(await response.arrayBuffer());
  expect(response.headers.get("content-length")).toBe(String(file.length));
  const pages = pagesOf(file);
  expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, index) => index));
  expect(pages[0]?.body.toString("latin1", 0, 8)).toBe("OpusHead");
  expect(pages[1]?.body.toString("latin1", 0, 8)).toBe("OpusTags");
  expect([pages[0]?.flags, pages.at(-1)?.flags]).toEqual([2, 4]);
  const seconds = (pages.at(-1)?.position ?? 0) / 48_000;
  expect(Math.abs(seconds - (call.duration_seconds ?? 0))).toBeLessThanOrEqual(1);
});

test("any part of a recording can be asked for", async () => {
  const sandbox = await openSandbox();
  const { recording_url: url } = await processedCall(sandbox, "answered");
  const whole = Buffer.from(await (await download(sandbox, url ?? "")).arrayBuffer());
  for (const [range, start, end] of [
    ["bytes=0-99", 0, 100],
    ["bytes=50-1000", 50, 1_001],
    ["bytes=700-", 700, whole.length],
    ["bytes=-300", whole.length - 300, whole.length],
    ["bytes=0-999999999", 0, whole.length],
  ] as const) {
    const part = await download(sandbox, url ?? "", range);
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes ${start}-${end - 1}/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(start, end))).toBe(true);
  }
  expect((await download(sandbox, url ?? "", "bytes=5-1")).status).toBe(200);
  const behind = await download(sandbox, url ?? "", `bytes=${whole.length}-`);
  expect(behind.status).toBe(416);
  expect(behind.headers.get("content-range")).toBe(`bytes */${whole.length}`);
});

test("a call that nobody answered has no recording, nor has one that is not processed yet", async () => {
  const sandbox = await openSandbox();
  const call = await processedCall(sandbox, "no_answer");
  expect(call.recording_url).toBeNull();
  expect((await ask(sandbox, "GET", `/v1/calls/${call.call_id}/recording`)).status).toBe(404);
  sandbox.faults.add({ kind: "processing", end: "never" });
  const web = await get(callResponse, sandbox, "POST", "/v1/calls/web", { agent_id: PUBLISHED_AGENT });
  await eventually(async () => {
    const ended = await get(callResponse, sandbox, "GET", `/v1/calls/${web.call_id}`);
    expect([ended.status, ended.processing_status]).toEqual(["ended", "processing"]);
  });
  expect((await ask(sandbox, "GET", `/v1/calls/${web.call_id}/recording`)).status).toBe(404);
});

test("a recording is as large as a test wants it, made while it is read", async () => {
  const bytes = 20_000_000;
  const sandbox = await openSandbox({ recordingBytes: bytes });
  const { recording_url: url } = await processedCall(sandbox, "answered");
  const response = await download(sandbox, url ?? "");
  let received = 0;
  for await (const chunk of response.body ?? []) {
    received += chunk.length;
  }
  expect(received).toBe(Number(response.headers.get("content-length")));
  expect(received).toBeGreaterThanOrEqual(bytes);
  expect(received).toBeLessThan(bytes + 1_000);
});

test("sizes and bytes agree for any part", () => {
  const seconds = oggSeconds(5_000);
  const size = oggSize(seconds);
  expect(size).toBeGreaterThanOrEqual(5_000);
  const whole = Buffer.concat([...oggBytes(seconds, 0, size)]);
  expect(whole.length).toBe(size);
  for (let start = 0; start < size; start += 97) {
    for (const end of [start + 1, start + 230, size]) {
      const part = Buffer.concat([...oggBytes(seconds, start, Math.min(end, size))]);
      expect(part.equals(whole.subarray(start, end))).toBe(true);
    }
  }
});
