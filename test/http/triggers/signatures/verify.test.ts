import { createHmac } from "node:crypto";
import { createServer, request as httpRequest } from "node:http";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { UnknownSecretError, UnusableSecretError } from "../../../../src/domain/ground/secrets.ts";
import { triggerAuthSchema } from "../../../../src/domain/triggers/trigger-auth.ts";
import { signDelivery } from "../../../../src/outbound/sign.ts";
import { verify } from "../../../../src/http/routes/triggers/signatures/verify.ts";
import { BODY, LOOKS_THE_SAME, NOW_MS, request, SENDERS, type Headers } from "./requests.ts";

const SECRETS = ["the-secret"];

const replaced = (headers: Headers, name: string, change: (value: string) => string): Headers =>
  headers.map(([own, value]) => [own, own === name ? change(value) : value]);

describe.each(SENDERS)("from a sender with $name", ({ auth, proof, time, toleranceMs, signsBody, sign }) => {
  const signed = (secrets = SECRETS, atMs = NOW_MS, body = BODY) => sign(secrets, body, atMs);
  const come = (headers: Headers, more: Parameters<typeof request>[1] = {}) =>
    verify(auth, request(headers, { values: SECRETS, ...more }));

  it("a request is accepted, and again when it is repeated", () => {
    const headers = signed();
    expect(come(headers)).toEqual({ ok: true });
    expect(come(headers)).toEqual({ ok: true });
  });

  it("a header's name may be written in any way", () => {
    expect(come(signed().map(([name, value]) => [name.toUpperCase(), value]))).toEqual({ ok: true });
  });

  it("a request without its proof, or with an empty one, is refused", () => {
    const without = signed().filter(([name]) => name !== proof);
    expect(come(without)).toEqual({ ok: false, status: 401, problem: `header ${proof} is missing` });
    expect(come(replaced(signed(), proof, () => " "))).toMatchObject({ ok: false, status: 401 });
    expect(come([])).toMatchObject({ ok: false, status: 401 });
  });

  it("a header that is there twice is refused, even where one or both fit", () => {
    for (const [name, value] of signed()) {
      const twice: Headers = [...signed(), [name.toLowerCase(), value]];
      expect(come(twice)).toMatchObject({ ok: false, status: 400 });
      expect(come([...signed(), [name, "something else"]])).toMatchObject({ ok: false, status: 400 });
      expect(come([[name, "something else"], ...signed()])).toMatchObject({ ok: false, status: 400 });
    }
  });

  it("another's secret does not fit, nor an empty one, nor a longer one", () => {
    for (const other of ["another secret", " ", "the-secret2", "the-secre"]) {
      expect(come(signed([other]))).toMatchObject({ ok: false, status: 401 });
    }
  });

  it("any value of a secret that is being rotated fits", () => {
    expect(come(signed(["old"]), { values: ["new", "old"] })).toEqual({ ok: true });
    expect(come(signed(["new"]), { values: ["new", "old"] })).toEqual({ ok: true });
    expect(come(signed(["older"]), { values: ["new", "old"] })).toMatchObject({ ok: false, status: 401 });
  });

  it("no altered byte of the proof passes", () => {
    const headers = signed();
    const value = headers.find(([name]) => name === proof)?.[1] ?? "";
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: value.length - 1 }),
        fc.integer({ min: 33, max: 126 }),
        (at, code) => {
          const letter = String.fromCharCode(code);
          const altered = value.slice(0, at) + letter + value.slice(at + 1);
          // Hexadecimal digits, and the word Bearer, are the same in either case.
          fc.pre(altered.toLowerCase() !== value.toLowerCase());
          expect(come(replaced(headers, proof, () => altered))).toMatchObject({ ok: false });
        },
      ),
    );
  });

  it("a proof of another scheme is refused", () => {
    for (const other of SENDERS.filter((sender) => sender.proof !== proof)) {
      expect(come(other.sign(SECRETS, BODY, NOW_MS))).toMatchObject({ ok: false, status: 401 });
      const theirs = other.sign(SECRETS, BODY, NOW_MS).find(([name]) => name === other.proof)?.[1] ?? "";
      expect(come(replaced(signed(), proof, () => theirs))).toMatchObject({ ok: false, status: 401 });
    }
  });

  it.runIf(signsBody)("no altered byte of the body passes, nor a body that was written anew", () => {
    const others = [
      BODY.subarray(1),
      Buffer.concat([BODY, Buffer.from("\n")]),
      LOOKS_THE_SAME,
      Buffer.from(JSON.stringify(JSON.parse(LOOKS_THE_SAME.toString("utf8")))),
      Buffer.alloc(0),
    ];
    for (const rawBody of others)
      expect(come(signed(), { rawBody })).toMatchObject({ ok: false, status: 401 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: BODY.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, by) => {
          const rawBody = Buffer.from(BODY);
          rawBody[at] = (rawBody[at] ?? 0) ^ by;
          expect(come(signed(), { rawBody })).toMatchObject({ ok: false, status: 401 });
        },
      ),
    );
  });

  it("an empty body is signed like any other", () => {
    const empty = Buffer.alloc(0);
    expect(come(signed(SECRETS, NOW_MS, empty), { rawBody: empty })).toEqual({ ok: true });
  });

  it.runIf(time !== undefined)("a replay is accepted within the tolerance, and outside of it refused", () => {
    const toleranceOrNone = toleranceMs ?? 0;
    for (const [offsetMs, ok] of [
      [-toleranceOrNone + 1_000, true],
      [toleranceOrNone - 1_000, true],
      [-toleranceOrNone - 1_000, false],
      [toleranceOrNone + 1_000, false],
      [-3 * 86_400_000, false],
    ] as const) {
      const verdict = come(signed(SECRETS, NOW_MS + offsetMs));
      expect(verdict).toMatchObject(ok ? { ok } : { ok, status: 401 });
      if (!verdict.ok) expect(verdict.problem).toContain(offsetMs < 0 ? "s old" : "s in the future");
    }
  });

  it.runIf(time !== undefined)("a time that is none, or not the signed one, is refused", () => {
    const name = time ?? "";
    for (const text of ["soon", "1e12", "-5", "0x10", "1800000000.5", "9".repeat(17), "٣"]) {
      expect(come(replaced(signed(), name, () => text))).toMatchObject({ ok: false, status: 400 });
    }
    expect(come(replaced(signed(), name, () => ""))).toMatchObject({ ok: false, status: 401 });
    expect(come(signed().filter(([own]) => own !== name))).toMatchObject({ ok: false, status: 401 });
    expect(come(replaced(signed(), name, (value) => `0${value}`))).toMatchObject({ ok: false });
    expect(come(replaced(signed(), name, (value) => String(Number(value) + 1)))).toMatchObject({
      ok: false,
      status: 401,
    });
  });

  it("refusals tell nothing of the secret or of the signature that would fit", () => {
    const right = signed().find(([name]) => name === proof)?.[1] ?? "";
    const verdict = come(signed(["another"]));
    if (verdict.ok) throw new Error("it was accepted");
    expect(verdict.problem).not.toContain(SECRETS[0]);
    expect(verdict.problem).not.toContain(right.slice(-10));
  });

  it("a secret of ours that is missing is not told to be the sender's fault", () => {
    const secrets = {
      read: (name: string): readonly string[] => {
        throw new UnknownSecretError(name, "there is none");
      },
    };
    expect(() => come(signed(), { secrets })).toThrow(UnknownSecretError);
  });
});

describe("Standard Webhooks", () => {
  const auth = triggerAuthSchema.parse({ scheme: "standard_webhooks", secret: "crm" });
  const body = '{"name":"Zoë"}';
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const headers = signDelivery({ name: "crm", values: [secret] }, { id: "evt_1", timestampMs: NOW_MS, body });
  const come = (signature: string, values = [secret]) =>
    verify(
      auth,
      request(Object.entries({ ...headers, "webhook-signature": signature }), {
        values,
        rawBody: Buffer.from(body),
      }),
    );
  const own = headers["webhook-signature"];

  it("as we send them ourselves are accepted", () => {
    expect(come(own)).toEqual({ ok: true });
  });

  it("fit where one of several signatures fits", () => {
    expect(come(`v1,AAAA v1a,bm90IG91cnM= v2,x ${own}`)).toEqual({ ok: true });
    expect(come(`${own} v1,AAAA`)).toEqual({ ok: true });
  });

  it.each([
    ["in another version", own.replace("v1,", "v1a,"), 401],
    ["without a version", own.slice(3), 401],
    ["without padding", own.slice(0, -1), 401],
    ["with more behind it", `${own}AAAA`, 401],
    ["in a list of commas", `v1,AAAA,${own}`, 401],
    ["in a list without end", Array.from({ length: 21 }, () => own).join(" "), 400],
    ["that is empty", "v1,", 401],
  ])("with a signature %s are refused", (_what, signature, status) => {
    expect(come(signature)).toMatchObject({ ok: false, status });
  });

  it("with another id are refused", () => {
    const other = Object.entries({ ...headers, "webhook-id": "evt_2" });
    expect(verify(auth, request(other, { values: [secret], rawBody: Buffer.from(body) })).ok).toBe(false);
  });

  it("with a key of ours that can't be read are not the sender's fault", () => {
    expect(() => come(own, ["whsec_not base64"])).toThrow(UnusableSecretError);
  });
});

describe("HubSpot", () => {
  const clientSecret = "yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy";
  const auth = (public_url: string) =>
    triggerAuthSchema.parse({ scheme: "hubspot_v3", secret: "hubspot", public_url });

  it.each([
    [1_693_657_560_000, "K36dawei4A+QBNolUOqo7s91KQDWQ5MXZ/QufNYuk/Y="],
    [1_700_000_300_000, "RnbPH7+UMKVkbV32P8bz450N4M56aPmcru1+D3kSDtw="],
  ])("signs at %i as its own libraries' tests say", (atMs, signature) => {
    const incoming = request(
      [
        ["X-HubSpot-Signature-v3", signature],
        ["X-HubSpot-Request-Timestamp", String(atMs)],
      ],
      {
        values: [clientSecret],
        url: "/webhook_uri",
        rawBody: Buffer.from("{'example_field':'example_value'}"),
        nowMs: atMs + 299_000,
      },
    );
    expect(verify(auth("https://www.example.com/webhook_uri"), incoming)).toEqual({ ok: true });
    expect(verify(auth("https://www.example.com/webhook_uri/"), incoming)).toMatchObject({ status: 401 });
    expect(verify(auth("http://www.example.com/webhook_uri"), incoming)).toMatchObject({ status: 401 });
  });

  it.each([
    ["what the documentation decodes, decoded", "?a=:/?@!$'()*,;&b=%20%26%3D", true],
    ["the address as it was called", "?a=%3A%2F%3F%40%21%24%27%28%29%2A%2C%3b&b=%20%26%3D", true],
    ["more than that decoded", "?a=:/?@!$'()*,;&b= &=", false],
    ["another query", "?a=1", false],
    ["no query", "", false],
  ])("may sign %s: %s", (_what, query, ok) => {
    const signature = createHmac("sha256", clientSecret)
      .update(`POSThttps://hooks.example.com/crm${query}{}${NOW_MS}`)
      .digest("base64");
    const incoming = request(
      [
        ["x-hubspot-signature-v3", signature],
        ["x-hubspot-request-timestamp", String(NOW_MS)],
      ],
      {
        values: [clientSecret],
        url: "/v1/triggers/crm?a=%3A%2F%3F%40%21%24%27%28%29%2A%2C%3b&b=%20%26%3D",
        rawBody: Buffer.from("{}"),
      },
    );
    expect(verify(auth("https://hooks.example.com/crm"), incoming).ok).toBe(ok);
  });
});

describe("a trigger's scheme", () => {
  it.each([
    [{ scheme: "none" }],
    [{ scheme: "bearer" }],
    [{ scheme: "bearer", secret: "../etc/passwd" }],
    [{ scheme: "bearer", secret: "crm", value: "the secret itself" }],
    [{ scheme: "hubspot_v3", secret: "crm" }],
    [{ scheme: "hubspot_v3", secret: "crm", public_url: "https://h.example/x?y=z" }],
    [{ scheme: "hubspot_v3", secret: "crm", public_url: "h.example/x" }],
    [{ scheme: "standard_webhooks", secret: "crm", tolerance: "2d" }],
    [{ scheme: "standard_webhooks", secret: "crm", tolerance: "0s" }],
    [{ scheme: "hmac", secret: "crm" }],
    [{ scheme: "hmac", secret: "crm", header: "X Y" }],
    [{ scheme: "hmac", secret: "crm", header: "x", algorithm: "md5" }],
    [{ scheme: "hmac", secret: "crm", header: "x", timestamp: { header: "t", template: "{body}" } }],
    [{ scheme: "hmac", secret: "crm", header: "x", timestamp: { header: "t", template: "{timestamp}" } }],
  ])("%j is refused", (value) => {
    expect(triggerAuthSchema.safeParse(value).success).toBe(false);
  });
});

describe("on a real socket", () => {
  it("a header that came twice is seen", async () => {
    const auth = triggerAuthSchema.parse({ scheme: "bearer", secret: "crm" });
    const server = createServer((incoming, response) => {
      const { rawHeaders, method = "", url = "" } = incoming;
      incoming.resume();
      const verdict = verify(auth, { ...request([]), rawHeaders, method, url });
      response.end(JSON.stringify(verdict));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const answer = await new Promise<string>((resolve, reject) => {
      httpRequest(
        {
          port,
          host: "127.0.0.1",
          method: "POST",
          headers: ["host", "here", "authorization", "Bearer a", "Authorization", "b"],
        },
        (response) => {
          response.setEncoding("utf8").once("data", resolve);
        },
      )
        .once("error", reject)
        .end();
    });
    server.close();
    expect(JSON.parse(answer)).toMatchObject({ ok: false, status: 400 });
  });
});
