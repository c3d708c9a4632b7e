import { SignJWT } from "jose";
import { z } from "zod";

import { signRoomToken } from "../livekit-token.ts";
import type { RoomTokenInput } from "../livekit-token.ts";

/** A LiveKit server, and what it trusts us by. */
export interface RoomAccess {
  /** `ws:` or `wss:`, without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** It did not answer, or refused. */
class RoomServerError extends Error {
  override readonly name = "RoomServerError";
}

/** It answers within milliseconds; one that does not is not there. */
const REQUEST_TIMEOUT_MS = 5_000;

/** Longer than any request takes to arrive. */
const REQUEST_TOKEN_LIFE = "60s";

/** How long the server keeps a room that nobody is in, should we not be there to delete it; whole seconds. */
const EMPTY_ROOM_SECONDS = 300;

/** Who is listed `JOINED` is there, and has no connection yet over which words come: LiveKit sends them none. */
const participantsSchema = z.object({
  participants: z.array(z.object({ state: z.string().optional() })).default([]),
});

/** The server's interface for rooms: JSON over HTTP, as LiveKit's own SDKs ask it. */
export class RoomApi {
  readonly access: RoomAccess;

  constructor(access: RoomAccess) {
    this.access = access;
  }

  /** Makes a room; one that is there stays as it is. @throws RoomServerError */
  async create(room: string): Promise<void> {
    await this.#ask("CreateRoom", room, { name: room, empty_timeout: EMPTY_ROOM_SECONDS });
  }

  /** Ends a room for everybody in it; does nothing where there is none. @throws RoomServerError */
  async delete(room: string): Promise<void> {
    await this.#ask("DeleteRoom", room, { room });
  }

  /** Whether words reach everybody who is in the room. @throws RoomServerError */
  async reachesAll(room: string): Promise<boolean> {
    const { participants } = participantsSchema.parse(
      JSON.parse(await this.#ask("ListParticipants", room, { room })),
    );
    return participants.every(({ state }) => state === "ACTIVE");
  }

  token(input: Omit<RoomTokenInput, "apiKey" | "apiSecret">): Promise<string> {
    const { apiKey, apiSecret } = this.access;
    return signRoomToken({ ...input, apiKey, apiSecret });
  }

  async #ask(method: string, room: string, body: Record<string, unknown>): Promise<string> {
    const { url, apiKey, apiSecret } = this.access;
    const token = await new SignJWT({ video: { roomCreate: true, roomAdmin: true, room } })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setIssuer(apiKey)
      .setNotBefore("-10s")
      .setExpirationTime(REQUEST_TOKEN_LIFE)
      .sign(new TextEncoder().encode(apiSecret));
    const answer = await fetch(`${url.replace(/^ws/, "http")}/twirp/livekit.RoomService/${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new RoomServerError(`the LiveKit server at ${url} does not answer (${reasonOf(error)})`, {
        cause: error,
      });
    });
    const text = await answer.text();
    if (!answer.ok && !(method === "DeleteRoom" && answer.status === 404)) {
      throw new RoomServerError(
        `the LiveKit server at ${url} refuses ${method} with ${answer.status}: ${text.slice(0, 200)}`,
      );
    }
    return text;
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}
