import type { RtcLibrary } from "../../rtc/library.ts";
import type { Clock, Timer } from "../clock.ts";
import type { Faults } from "../faults.ts";
import { RoomAgent } from "./room-agent.ts";
import type { RoomTalk } from "./room-agent.ts";
import type { RoomApi } from "./room-api.ts";

/** What is said in a room, and what becomes of it. */
export interface RoomConversation {
  readonly media: "audio" | "text";
  /** Somebody came, for the first time. */
  begin(): void;
  greet(agent: RoomAgent): Promise<void>;
  said(text: string, agent: RoomAgent): Promise<void>;
  tooLong(agent: RoomAgent): Promise<void>;
  /** Everybody left; null where they may come back. */
  readonly left: (() => void) | null;
  /** It cannot go on: nobody came, the agent did not, or the room is gone. `why` is a sentence about it. */
  over(why: string): void;
}

export interface OpenRoomInput {
  readonly name: string;
  readonly api: RoomApi;
  readonly library: RtcLibrary;
  readonly clock: Clock;
  readonly faults: Faults;
  /** How long nobody may be there; real milliseconds. */
  readonly patienceMs: number;
  readonly conversation: RoomConversation;
  readonly onTrouble: (error: unknown) => void;
  /** The room is closed. */
  readonly onClosed: () => void;
}

/**
 * How long the answer that hands out the token waits for the agent to be there first. Over the loopback address it is
 * within a few hundred milliseconds; one that is slower comes after.
 */
const AGENT_FIRST_MS = 5_000;

/**
 * LiveKit tells of somebody before words reach them, and what is written before that is lost. The server knows when they
 * do, and is asked so often and for so long; who writes first is reached.
 */
const REACHED_EVERY_MS = 50;
const REACHED_WITHIN_MS = 15_000;

/** From the last word of a chat to the end of its room: what was said is to arrive first. */
const LINGER_MS = 500;

/** For so long an agent that leaves is waited for: mostly some milliseconds. */
const LEFT_WITHIN_MS = 5_000;

/** The same where its turn does not come: something before it in the room does not end. */
const LINGER_MOST_MS = 5_000;

/**
 * A room that the sandbox made, from there to its end.
 *
 * 1. It is bounded: where nobody is there for `patienceMs`, it is over.
 * 2. It ends once, and its conversation with it, whichever ends first: `end` follows the conversation, `over` and
 *    `left` lead it.
 */
export class OpenRoom implements RoomTalk {
  readonly #input: OpenRoomInput;
  #agent: RoomAgent | null = null;
  #patience: Timer | null = null;
  #hasBegun = false;
  #isEnding = false;
  #closed: Promise<void> | null = null;

  constructor(input: OpenRoomInput) {
    this.#input = input;
  }

  /** Makes the room, and lets the agent come. Rejects where the server makes none. */
  async open(): Promise<void> {
    const { api, name } = this.#input;
    await api.create(name);
    // It may have been ended meanwhile, before there was anything to end.
    if (this.#isEnding) {
      await api.delete(name);
      throw new Error("the room was closed while it was opened");
    }
    this.#wait();
    if (this.#input.faults.take("agent_never_joins") !== null) return;
    await Promise.race([this.#letAgentCome(), this.#input.clock.wait(AGENT_FIRST_MS)]);
  }

  /** Makes it again on a server that forgot it. */
  async reopen(): Promise<void> {
    if (!this.#isEnding) await this.#input.api.create(this.#input.name);
  }

  /** Ends the room, once what is being said is said. Its conversation is over. */
  end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#input.clock.cancel(this.#patience);
    if (this.#agent === null || this.#input.conversation.media === "audio") {
      void this.close();
      return;
    }
    this.#agent.inTurn(async () => {
      await this.#input.clock.wait(LINGER_MS);
      await this.close();
    });
    this.#input.clock.afterReal(LINGER_MOST_MS, () => void this.close());
  }

  /** The same at once. Resolves when it is gone. */
  close(): Promise<void> {
    this.#isEnding = true;
    return (this.#closed ??= this.#close());
  }

  joined(): void {
    const { clock, faults, api, name, conversation } = this.#input;
    clock.cancel(this.#patience);
    if (this.#hasBegun || this.#isEnding) return;
    this.#hasBegun = true;
    conversation.begin();
    const lateMs = faults.take("agent_greets_late")?.ms ?? 0;
    clock.afterReal(lateMs, () => void this.#greet());
    const drop = faults.take("room_drops");
    if (drop !== null) {
      clock.afterReal(drop.after_ms ?? 0, () => {
        void api.delete(name).catch(this.#input.onTrouble);
      });
    }
  }

  async said(text: string | null): Promise<void> {
    const agent = this.#agent;
    if (agent === null || this.#isEnding) return;
    await (text === null
      ? this.#input.conversation.tooLong(agent)
      : this.#input.conversation.said(text, agent));
  }

  left(): void {
    const { left } = this.#input.conversation;
    if (left === null) this.#wait();
    else left();
  }

  lost(): void {
    // Where we end it ourselves, the conversation is over already, or goes on in the sandbox that comes after this one.
    if (!this.#isEnding) this.#input.conversation.over("The room was closed");
  }

  async #letAgentCome(): Promise<void> {
    const { api, library, clock, name, conversation, onTrouble } = this.#input;
    try {
      const token = await api.token({
        room: name,
        identity: `agent-${name}`,
        media: conversation.media,
        kind: "agent",
        wallMs: Date.now(),
      });
      const agent = new RoomAgent({
        library,
        clock,
        url: api.access.url,
        token,
        speaks: conversation.media === "audio",
        talk: this,
        onTrouble,
      });
      this.#agent = agent;
      await agent.join();
      // It may have been ended meanwhile.
      if (this.#isEnding) await agent.leave();
    } catch (error) {
      if (this.#isEnding) return;
      onTrouble(error);
      conversation.over("The agent did not join");
    }
  }

  async #greet(): Promise<void> {
    await this.#reached();
    const agent = this.#agent;
    agent?.inTurn(async () => {
      if (!this.#isEnding) await this.#input.conversation.greet(agent);
    });
  }

  /** Resolves when what is written reaches whoever is there, or was waited for long enough. */
  async #reached(): Promise<void> {
    const { api, clock, name, onTrouble } = this.#input;
    for (let waitedMs = 0; waitedMs < REACHED_WITHIN_MS && !this.#isEnding; waitedMs += REACHED_EVERY_MS) {
      try {
        if (await api.reachesAll(name)) return;
      } catch (error) {
        onTrouble(error);
        return;
      }
      await clock.wait(REACHED_EVERY_MS);
    }
  }

  #wait(): void {
    const { clock, patienceMs, conversation } = this.#input;
    clock.cancel(this.#patience);
    this.#patience = clock.afterReal(patienceMs, () => {
      if (!this.#isEnding) conversation.over("Nobody was in the room");
    });
  }

  async #close(): Promise<void> {
    const { api, name, clock, onTrouble, onClosed } = this.#input;
    clock.cancel(this.#patience);
    // First: the library keeps what it was not left by. It may also never answer, and the room is to go all the same.
    await Promise.race([this.#agent?.leave().catch(onTrouble), clock.wait(LEFT_WITHIN_MS)]);
    await api.delete(name).catch(onTrouble);
    onClosed();
  }
}
