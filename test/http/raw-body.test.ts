import net from "node:net";

import Fastify from "fastify";
import { expect, it, onTestFinished } from "vitest";

import { createBodyRoom, rawBodyOf, takeRawBodies } from "../../src/http/raw-body.ts";

import { answerProblems } from "../../src/http/plugins/errors.ts";
import { until } from "../support/until.ts";

async function listening(withinMs: number, roomBytes = 10_000): Promise<number> {
  const app = Fastify({ bodyLimit: 4_000 });
  answerProblems(app, { info() {}, warn() {}, error() {} }, new Map());
  takeRawBodies(app, createBodyRoom(roomBytes), withinMs);
  app.post("/", async (request) => rawBodyOf(request).toString("utf8"));
  onTestFinished(() => app.close());
  return Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
}

/** What comes back until the other side ends it. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = net.connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (data) => (answer += data.toString()));
    socket.on("error", () => {});
    socket.on("close", () => {
      resolve(answer);
    });
  });
}

const head = (length: number) =>
  `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`;

it("a body that does not come has its connection cut, and one that comes is taken as it is", async () => {
  const port = await listening(200);
  expect(await exchange(port, `${head(100)}{`)).toBe("");
  expect(await exchange(port, `${head(2)}{}`)).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n\{\}$/);
});

it("bodies that are being read hold no more than their room together; whoever finds none is told to come back", async () => {
  const port = await listening(30_000, 6_000);
  // Two that never end: what came of them is held, what was only announced is not.
  const held = [3_000, 2_500].map((bytes) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(`${head(3_500)}${"x".repeat(bytes)}`));
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
    return socket;
  });
  const send = (bytes: number) => exchange(port, `${head(bytes)}${"y".repeat(bytes)}`);
  let refused = "";
  await until("the room to be full", async () => (refused = await send(1_000)).includes(" 503 "));
  expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 10\r\n[^]*"code":"busy"/i);
  expect(await send(400)).toMatch(/ 200 /);
  for (const socket of held) socket.destroy();
  await until("the room to be free again", async () => (await send(3_500)).includes(" 200 "));
  for (let nth = 0; nth < 5; nth += 1) expect(await send(3_900)).toMatch(/ 200 /);
  expect(await send(4_001)).toMatch(/ 413 [^]*"code":"too_large"/);
  expect(await send(3_900)).toMatch(/ 200 /);
});

it("a body in chunks without an announced length is bounded alike", async () => {
  const port = await listening(30_000);
  const chunked = (bytes: number) =>
    exchange(
      port,
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${"z".repeat(bytes)}\r\n0\r\n\r\n`,
    );
  expect(await chunked(100)).toMatch(/ 200 [^]*z{100}/);
  expect(await chunked(4_001)).toMatch(/ 413 /);
});
