import type { RtcLibrary } from "../../rtc/library.ts";
import type { Clock } from "../clock.ts";
import { ApiError, conflict } from "../errors.ts";
import type { Faults } from "../faults.ts";
import type { CallRun } from "../state/call-run.ts";
import { configOfCall } from "../state/calls.ts";
import type { CallRecord } from "../state/calls.ts";
import type { ChatRecord } from "../state/chat-sessions.ts";
import type { Organization } from "../state/organization.ts";
import { callConversation, chatConversation } from "./conversations.ts";
import { OpenRoom } from "./open-room.ts";
import type { RoomConversation } from "./open-room.ts";
import type { RoomApi } from "./room-api.ts";
import { callerIdentity, callRoomName, chatRoomName, chatterIdentity } from "./rooms.ts";
import type { Joining, Rooms } from "./rooms.ts";

/** Each is a connection of its own, of some threads and a few megabytes. */
const MOST_ROOMS = 100;

/** How often it is looked whether a call may go on: what it costs is counted by the second. */
const LOOK_EVERY_MS = 250;

/** The longest call of an agent that says nothing, or zero (contract 2.2); simulated. */
const LONGEST_CALL_MS = 600_000;

/** Older than any token is good for. */
const EXPIRED_MS = 7 * 3_600_000;

export interface LivekitRoomsInput {
  readonly api: RoomApi;
  readonly library: RtcLibrary;
  readonly patienceMs: number;
  readonly seed: number;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly callRun: CallRun;
  readonly organizations: readonly Organization[];
  /** Takes what went wrong and has no request to tell it to. */
  readonly onTrouble: (error: unknown) => void;
}

/** Rooms on a LiveKit server, with an agent in each. States, durations and costs are what happens there. */
export class LivekitRooms implements Rooms {
  readonly kind = "real";
  readonly url: string;
  readonly #input: LivekitRoomsInput;
  readonly #open = new Map<string, OpenRoom>();
  readonly #talking = new Set<CallRecord>();
  #isClosing = false;

  constructor(input: LivekitRoomsInput) {
    this.#input = input;
    this.url = input.api.access.url;
    input.callRun.observe({
      callConnected: (call) => {
        if (call.talk === null) return;
        this.#talking.add(call);
        this.#watch(call);
      },
      callEnded: (call) => {
        if (call.talk === null) return;
        this.#talking.delete(call);
        this.#open.get(callRoomName(call))?.end();
      },
    });
    for (const { chatSessions } of input.organizations) {
      chatSessions.onClosed((session) => this.#open.get(chatRoomName(session))?.end());
    }
  }

  checkOffered(): void {
    if (this.#open.size >= MOST_ROOMS) {
      throw conflict(
        `This sandbox has ${MOST_ROOMS} rooms open, and takes no more: end calls and close chats`,
      );
    }
  }

  async openCall(call: CallRecord): Promise<Joining> {
    const { callRun, clock, seed } = this.#input;
    const conversation = callConversation(call, { callRun, clock, seed });
    return await this.#openWith(callRoomName(call), callerIdentity(call), conversation);
  }

  async openChat(session: ChatRecord, organization: Organization): Promise<Joining> {
    const conversation = chatConversation(session, organization.chatSessions);
    return await this.#openWith(chatRoomName(session), chatterIdentity(session), conversation);
  }

  /** Goes on with the chats that were open before a restart: their tokens are good, and their rooms are not there. */
  async goOn(): Promise<void> {
    for (const organization of this.#input.organizations) {
      for (const session of organization.chatSessions.all()) {
        if (session.transport !== "livekit" || session.closedAt !== null) continue;
        if (this.#open.size >= MOST_ROOMS) {
          organization.chatSessions.close(session, null);
        } else {
          await this.openChat(session, organization).catch(this.#input.onTrouble);
        }
      }
    }
  }

  /** Makes the rooms again on a server that lost them. */
  async reopen(): Promise<void> {
    await Promise.all([...this.#open.values()].map((room) => room.reopen()));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const call of this.#input.callRun.active()) {
      if (call.talk !== null) this.#input.callRun.giveUp(call, "The room was closed");
    }
    await Promise.all([...this.#open.values()].map((room) => room.close()));
  }

  async #openWith(name: string, identity: string, conversation: RoomConversation): Promise<Joining> {
    const { api, library, clock, faults, patienceMs, onTrouble } = this.#input;
    if (this.#isClosing) {
      conversation.over("The sandbox is closing");
      throw new ApiError(503, "This sandbox is closing");
    }
    const room = new OpenRoom({
      name,
      api,
      library,
      clock,
      faults,
      patienceMs,
      conversation,
      onTrouble: (error) => {
        if (!this.#isClosing) onTrouble(error);
      },
      onClosed: () => this.#open.delete(name),
    });
    this.#open.set(name, room);
    try {
      await room.open();
    } catch (error) {
      conversation.over("The room could not be opened");
      await room.close();
      throw new ApiError(503, error instanceof Error ? error.message : String(error));
    }
    const { media } = conversation;
    const ageMs = faults.take("room_token_expired") === null ? 0 : EXPIRED_MS;
    const access_token = await api.token({ room: name, identity, media, wallMs: Date.now() - ageMs });
    return { access_token, room_url: this.url, room_name: name };
  }

  /** Ends the call where its agent's longest call is over, or its credits are. */
  #watch(call: CallRecord): void {
    const { clock, callRun } = this.#input;
    const look = () => {
      if (call.phase !== "connected") return;
      const { max_call_duration_ms: longestMs } = configOfCall(call);
      const talkMs = clock.simulated(clock.now() - (call.connectedAt ?? clock.now()));
      if (talkMs >= (longestMs || LONGEST_CALL_MS) || !this.#isPaidFor(call.organization)) {
        callRun.hangUp(call, "agent");
      } else {
        clock.afterReal(LOOK_EVERY_MS, look);
      }
    };
    clock.afterReal(LOOK_EVERY_MS, look);
  }

  /** Whether there are credits for all the calls that are up in rooms, as long as they are by now. */
  #isPaidFor(organization: Organization): boolean {
    const { clock } = this.#input;
    const talking = [...this.#talking].flatMap((call) =>
      call.organization !== organization || call.connectedAt === null
        ? []
        : [
            {
              index: call.index,
              fields: configOfCall(call),
              talkMs: clock.simulated(clock.now() - call.connectedAt),
              overPhone: false,
            },
          ],
    );
    return organization.billing.covers(talking);
  }
}
