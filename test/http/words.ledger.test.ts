import net from "node:net";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { withLedger } from "../support/ledgers.ts";
import { openApi, openSandbox } from "./support.ts";

const operationSchema = z.object({
  parameters: z
    .array(z.object({ name: z.string().default(""), in: z.string().default("header") }))
    .default([]),
  requestBody: z
    .object({
      content: z.record(
        z.string(),
        z.object({
          schema: z.object({ properties: z.record(z.string(), z.unknown()).default({}) }).optional(),
        }),
      ),
    })
    .optional(),
});
const documentSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), operationSchema)) });

/** What a value in a field's place could be, and what in its place is almost never right. */
const WRONG = [true, -1, 1.5, "", "x", "x".repeat(5_000), [], {}, null, [[1]], { a: { b: 1 } }];

/** How libraries speak. People who send something wrong are told in ours. */
const RAW =
  /Invalid (?:input|string|ISO|URL|UUID|key|option|element|discriminator)|expected \w+, received|Too (?:big|small)|Unrecognized key|FST_|Unexpected token|violates|syntax error|undefined|\[object|NaN|Request body|Client Error|Body cannot|at \S+:\d+:\d+/;

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

withLedger((ledger) => {
  it("whatever is sent to any operation, its refusal is in words for people", async () => {
    const { platform } = await openSandbox();
    const { app } = await openApi(ledger(), { platform });
    const { paths } = documentSchema.parse((await app.inject({ url: "/openapi.json" })).json());
    const raw: string[] = [];
    let refused = 0;
    const send = async (method: (typeof METHODS)[number], url: string, payload?: unknown) => {
      const answer = await app.inject({
        method,
        url,
        headers: {
          // A stream that began would not end: its place is none.
          ...(url.startsWith("/v1/events/stream") && { "last-event-id": "none" }),
          ...(payload !== undefined && { "content-type": "application/json" }),
        },
        ...(payload !== undefined && { payload: JSON.stringify(payload) }),
      });
      if (answer.statusCode < 400) return;
      refused += 1;
      const { detail, errors } = answer.json<{ detail: string; errors?: unknown }>();
      const told = `${detail} ${JSON.stringify(errors ?? "")}`;
      if (answer.statusCode === 500 || RAW.test(told))
        raw.push(
          `${method} ${url} ${JSON.stringify(payload)?.slice(0, 80) ?? ""}: ${answer.statusCode} ${told.slice(0, 300)}`,
        );
    };
    for (const [path, operations] of Object.entries(paths)) {
      const url = path.replaceAll(/\{[^}]+\}/g, "x");
      for (const [verb, { parameters, requestBody }] of Object.entries(operations)) {
        const method = METHODS.find((one) => one === verb.toUpperCase());
        // One stops all others; one takes nothing, and shows a key that nobody has here.
        if (!method || path === "/v1/stop-all" || path === "/v1/keys/status") continue;
        for (const { name } of parameters.filter((one) => one.in === "query"))
          for (const value of ["", "x", "-1", "1e99", "x".repeat(3_000)])
            await send(method, `${url}?${name}=${value}`);
        await send(method, `${url}?nobody=knows`);
        const body = requestBody?.content["application/json"];
        if (!body) continue;
        for (const whole of [null, [], "text", 1, {}, { nobody: "knows" }]) await send(method, url, whole);
        for (const field of Object.keys(body.schema?.properties ?? {}))
          for (const value of WRONG) await send(method, url, { [field]: value });
      }
    }
    expect(raw).toEqual([]);
    expect(refused).toBeGreaterThan(500);
  });

  it("what is no JSON, no HTTP, or cut short is refused so, too", async () => {
    const { app } = await openApi(ledger());
    const post = (headers: Record<string, string>, payload: string) =>
      app.inject({ method: "POST", url: "/v1/suppressions", headers, payload });
    const json = { "content-type": "application/json" };
    const details = [];
    for (const [headers, payload] of [
      [json, ""],
      [json, "{"],
      [json, '{"__proto__": 1}'],
      [{ ...json, "content-length": "5000" }, "{}"],
      [{ "content-type": "text/plain" }, "x"],
      [{ "content-type": "multipart/form-data" }, "x"],
    ] as const) {
      const answer = await post(headers, payload);
      expect(answer.headers["content-type"]).toContain("application/problem+json");
      details.push(answer.json<{ detail: string }>().detail);
    }
    for (const detail of details) expect(detail).not.toMatch(RAW);
    expect(details.slice(0, 4)).toEqual([
      expect.stringContaining("the body is empty"),
      expect.stringContaining("the body is not JSON"),
      expect.stringContaining("__proto__"),
      expect.stringContaining("not as long as its Content-Length says"),
    ]);

    await app.listen({ port: 0, host: "127.0.0.1" });
    const address = app.server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const say = async (text: string) => {
      const socket = net.connect(port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      let heard = "";
      socket.on("data", (data) => (heard += data.toString()));
      socket.write(text);
      await once(socket, "end");
      return heard;
    };
    const nonsense = await say("NONSENSE\r\n\r\n");
    expect(nonsense).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(nonsense).toContain("not a well-formed HTTP request");
    const large = await say(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${"x".repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(large.slice(large.indexOf("{")))).toMatchObject({
      status: 431,
      code: "invalid_request",
    });
  });
});
