import { SignJWT } from "jose";

/** LiveKit's own default life of a token, six hours: longer than any call or chat. */
const TOKEN_LIFE_SECONDS = 6 * 60 * 60;

export interface RoomTokenInput {
  readonly room: string;
  /** Who joins: unique in the room. */
  readonly identity: string;
  /** `audio` for web calls; `text` for chats, whose rooms carry the text stream `lk.chat` alone (contract 4.11). */
  readonly media: "audio" | "text";
  /** `agent`: shown to the others as what it is, and not counted as somebody who keeps the room from being empty. */
  readonly kind?: "agent";
  /** When it is signed: milliseconds since 1970. */
  readonly wallMs: number;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/**
 * The access token of one participant of one real-time room (contract 2.3, 4.11), as LiveKit's servers check it: a
 * JWT signed with HS256, with the API key as issuer, the identity as subject and the rights as `video` grant.
 */
export async function signRoomToken(input: RoomTokenInput): Promise<string> {
  const nowSeconds = Math.floor(input.wallMs / 1000);
  const video = {
    room: input.room,
    roomJoin: true,
    canPublish: input.media === "audio",
    canSubscribe: true,
    // Text streams travel as data.
    canPublishData: true,
  };
  return await new SignJWT({ video, name: input.identity, ...(input.kind && { kind: input.kind }) })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(input.apiKey)
    .setSubject(input.identity)
    .setIssuedAt(nowSeconds)
    .setNotBefore(nowSeconds)
    .setExpirationTime(nowSeconds + TOKEN_LIFE_SECONDS)
    .sign(new TextEncoder().encode(input.apiSecret));
}
