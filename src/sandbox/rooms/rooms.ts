import { conflict } from "../errors.ts";
import { signRoomToken } from "../livekit-token.ts";
import type { CallRecord } from "../state/calls.ts";
import type { ChatRecord } from "../state/chat-sessions.ts";
import type { Organization } from "../state/organization.ts";

/** What a real-time client joins with (contract 2.3, 4.11). */
export interface Joining {
  readonly access_token: string;
  readonly room_url: string;
  readonly room_name: string;
}

/** Where web calls and chats over `livekit` take place. */
export interface Rooms {
  /** `real`: a LiveKit server has them, and what happens there is what happens. */
  readonly kind: "none" | "simulated" | "real";
  /** Shown with calls; null where there are none. */
  readonly url: string | null;
  /** Throws 409 where no room can be opened, before anything is made that would need one. */
  checkOffered(): void;
  /** Opens the room of a call that waits. @throws ApiError 503 where the LiveKit server does not do it */
  openCall(call: CallRecord): Promise<Joining>;
  /** Opens the room of a chat. @throws ApiError 503 */
  openChat(session: ChatRecord, organization: Organization): Promise<Joining>;
  /** Goes on with the chats that were open before a restart of the sandbox. */
  goOn(): Promise<void>;
  /** Makes the rooms again on a server that lost them. */
  reopen(): Promise<void>;
  /** Ends every room. */
  close(): Promise<void>;
}

export function callRoomName(call: CallRecord): string {
  return `call-${call.organization.calls.idOf(call)}`;
}

export function chatRoomName(session: ChatRecord): string {
  return `chat-${session.id}`;
}

/** Who joins the room of a call. */
export function callerIdentity(call: CallRecord): string {
  return `caller-${call.organization.calls.idOf(call)}`;
}

/** Who joins the room of a chat. */
export function chatterIdentity(session: ChatRecord): string {
  return session.externalUserKey ?? `user-${session.id}`;
}

const NO_ROOMS =
  "This sandbox has no rooms. Start it with --livekit-url, or with --livekit-server, for real ones; " +
  "--rooms simulated makes up what would happen there";

const NOTHING_TO_DO = {
  goOn: () => Promise.resolve(),
  reopen: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Nothing is pretended. */
export const NO_ROOMS_HERE: Rooms = {
  kind: "none",
  url: null,
  checkOffered() {
    throw conflict(NO_ROOMS);
  },
  openCall: () => Promise.reject(conflict(NO_ROOMS)),
  openChat: () => Promise.reject(conflict(NO_ROOMS)),
  ...NOTHING_TO_DO,
};

/** What `livekit-server --dev` listens on and trusts. The key and secret are no secret. */
const SIMULATED_ROOM_URL = "ws://127.0.0.1:7880";
export const SIMULATED_API_KEY = "devkey";
export const SIMULATED_API_SECRET = "secret";

/** Names and tokens as real ones have them, and nobody there: the seed says what happened. */
export const SIMULATED_ROOMS: Rooms = {
  kind: "simulated",
  url: SIMULATED_ROOM_URL,
  checkOffered() {},
  openCall: (call) => simulated(callRoomName(call), callerIdentity(call), "audio"),
  openChat: (session) => simulated(chatRoomName(session), chatterIdentity(session), "text"),
  ...NOTHING_TO_DO,
};

async function simulated(room: string, identity: string, media: "audio" | "text"): Promise<Joining> {
  const access_token = await signRoomToken({
    room,
    identity,
    media,
    wallMs: Date.now(),
    apiKey: SIMULATED_API_KEY,
    apiSecret: SIMULATED_API_SECRET,
  });
  return { access_token, room_url: SIMULATED_ROOM_URL, room_name: room };
}
