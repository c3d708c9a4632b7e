import { jwtVerify } from "jose";
import { expect, test } from "vitest";

import { signRoomToken } from "../../src/sandbox/livekit-token.ts";

const KEYS = { apiKey: "key", apiSecret: "a secret that nobody else has" };
const SECRET = new TextEncoder().encode(KEYS.apiSecret);

test("a room token is signed, names its room and bearer, and lets only audio be published in audio rooms", async () => {
  const wallMs = Date.parse("2026-03-01T12:00:00.500Z");
  const grantOf = async (media: "audio" | "text") => {
    const token = await signRoomToken({ room: "room-1", identity: "user-1", media, wallMs, ...KEYS });
    const verified = await jwtVerify(token, SECRET, {
      issuer: KEYS.apiKey,
      algorithms: ["HS256"],
      currentDate: new Date(wallMs),
    });
    expect(verified.payload).toMatchObject({ sub: "user-1", nbf: Math.floor(wallMs / 1000) });
    expect((verified.payload.exp ?? 0) * 1000).toBeGreaterThan(wallMs + 3_600_000);
    return verified.payload["video"];
  };
  expect(await grantOf("audio")).toEqual({
    room: "room-1",
    roomJoin: true,
    canPublish: true,
    canSubscribe: true,
    canPublishData: true,
  });
  expect(await grantOf("text")).toMatchObject({ canPublish: false, canPublishData: true });
});
