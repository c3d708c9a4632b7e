import http from "node:http";
import type { AddressInfo } from "node:net";

import { createPlatform, type Platform } from "../../src/platform/index.ts";

/* What a platform might say, as JSON texts: JavaScript can't hold some of what JSON can. */

type Random = () => number;

const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;

const nested = (depth: number) => `${'{"a":['.repeat(depth)}1${"]}".repeat(depth)}`;

const TIMES = [
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00",
  "99999",
  "2026",
  "-1",
  "1e400",
  "+275760-09-13T00:00:00.000Z",
  "1970-01-01",
  "2001-02-03T04:05:06",
  "2099-12-31T23:59:60Z",
  "2026-02-30 10:00",
  "soon",
];

const TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\u202Eabc",
  "../../etc/passwd",
  "x' or 1=1; --",
  "%s%n%00",
  "💥".repeat(200),
  "y".repeat(20_000),
  "completed",
  "cancelled",
  "pending",
  "no_answer",
  "failed",
  "ended",
  "unheard of",
  "true",
  "0",
  "1",
  "12.5",
  "NaN",
  "Infinity",
];

/** Some JSON, written out: of any type, plausible now and then. */
export function anyJson(random: Random): string {
  const kind = random();
  if (kind < 0.3) return JSON.stringify(pick(random, TEXTS));
  if (kind < 0.5) return JSON.stringify(pick(random, TIMES));
  if (kind < 0.55) return pick(random, ['"\\ud800"', '"\\udfff\\ud800x"', '"\\u0000"', '"a\\u0007"']);
  if (kind < 0.75)
    return pick(random, [
      "0",
      "1",
      "-1",
      "0.5",
      "1e308",
      "-1e308",
      "1e999",
      "-1e999",
      "1e-320",
      "9007199254740993",
    ]);
  if (kind < 0.8) return String(Date.now() / (random() < 0.5 ? 1 : 1_000));
  if (kind < 0.9) return pick(random, ["null", "true", "false", "[]", "{}", "[[]]", '{"__proto__":{"a":1}}']);
  if (kind < 0.95) return nested(pick(random, [3, 60, 3_000]));
  return JSON.stringify(Object.fromEntries(TEXTS.map((text, index) => [`${text}${index}`, index])));
}

/** An object with these fields, of which some are anything, and some are missing. */
export function garbled(random: Random, fields: Readonly<Record<string, unknown>>, share = 0.5): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    const chance = random();
    if (chance < share / 10) return [];
    return [`${JSON.stringify(name)}:${chance < share ? anyJson(random) : JSON.stringify(value)}`];
  });
  return `{${pairs.join(",")}}`;
}

export interface GarbagePlatform {
  platform: Platform;
  /** What it answers, by method and path; undefined: 404. */
  answer: (request: { method: string; path: string; skip: number }) => string | undefined;
  /** What it was asked to do, without reads. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** A platform on a real socket whose answers a test writes by hand. */
export async function openGarbagePlatform(): Promise<GarbagePlatform> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const method = request.method ?? "GET";
    if (method !== "GET") asked.push(`${method} ${pathname}`);
    request.resume();
    const body = self.answer({ method, path: pathname, skip: Number(searchParams.get("skip") ?? 0) });
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(body ?? '{"detail":"Not Found"}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const platform = createPlatform({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "key" });
  const self: GarbagePlatform = {
    platform,
    asked,
    answer: () => undefined,
    async close() {
      await platform.close();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return self;
}
