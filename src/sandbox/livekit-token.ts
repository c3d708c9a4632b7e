import { SignJWT } from "jose";

/**
 * What `livekit-server --dev` listens on and trusts: whoever runs one beside the sandbox can join its rooms. The
 * sandbox starts none itself, and the key and secret are no secret.
 */
export const ROOM_URL = "ws://127.0.0.1:7880";
export const ROOM_API_KEY = "devkey";
export const ROOM_API_SECRET = "secret";

/** LiveKit's own default life of a token, six hours: longer than any call or chat. */
const TOKEN_LIFE_SECONDS = 6 * 60 * 60;

export interface RoomTokenInput {
  readonly room: string;
  /** Who joins: unique in the room. */
  readonly identity: string;
  /** `audio` for web calls; `text` for chats, whose rooms carry the text stream `lk.chat` alone (contract 4.11). */
  readonly media: "audio" | "text";
  /** When it is signed: milliseconds since 1970. */
  readonly wallMs: number;
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
  return await new SignJWT({ video, name: input.identity })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuer(ROOM_API_KEY)
    .setSubject(input.identity)
    .setIssuedAt(nowSeconds)
    .setNotBefore(nowSeconds)
    .setExpirationTime(nowSeconds + TOKEN_LIFE_SECONDS)
    .sign(new TextEncoder().encode(ROOM_API_SECRET));
}
