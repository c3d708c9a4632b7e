import { LEFT } from "../../rtc/library.ts";
import type { RtcLibrary, RtcRoom, RtcSource, RtcStreamReader } from "../../rtc/library.ts";
import type { Clock, Timer } from "../clock.ts";
import { SAMPLE_RATE, spoken } from "./speech.ts";

/** The text stream on which chats travel (contract 4.11). */
const CHAT_TOPIC = "lk.chat";

/** Where LiveKit's agents say in writing what they and others say aloud. */
const TRANSCRIPTION_TOPIC = "lk.transcription";

/**
 * How long somebody who was cut off may take to be back. LiveKit's clients try for some seconds, longer where the
 * server itself was away; who left of their own accord is not waited for.
 */
const REJOIN_MS = 15_000;

/** No message is longer (contract 4.11), and no character than four bytes. */
const LONGEST_TEXT_BYTES = 4 * 4_000;

/** A message is read within so much, or is none: what comes next waits for it. */
const READ_MS = 10_000;

/** What the agent's room means to whoever put it there. Each is told once, but for `joined` and `said`. */
export interface RoomTalk {
  /** Somebody is there: the first time, and after each absence. */
  joined(): void;
  /** Somebody wrote something. Null: it was too long to be a message. What comes next waits for it. */
  said(text: string | null): Promise<void>;
  /** Everybody else left, or did not come back. */
  left(): void;
  /** The room is gone, and nobody here ended it. */
  lost(): void;
}

export interface RoomAgentInput {
  readonly library: RtcLibrary;
  readonly clock: Clock;
  readonly url: string;
  readonly token: string;
  /** Whether it has a voice. */
  readonly speaks: boolean;
  readonly talk: RoomTalk;
  /** Takes what went wrong and is nobody's fault: a word that could not be sent. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * The agent in a room: who is there, what they write, and what it says. It decides nothing; that is its conversation's
 * (`RoomTalk`). One thing is done at a time, in the order in which it came.
 */
export class RoomAgent {
  readonly #input: RoomAgentInput;
  readonly #room: RtcRoom;
  /** Who was cut off, and is waited for. Null: we are cut off ourselves, and see nobody; their time has not begun. */
  readonly #absences = new Map<string, Timer | null>();
  readonly #present = new Set<string>();
  readonly #speaking = new AbortController();
  #source: RtcSource | null = null;
  #trackSid: string | undefined;
  #turn: Promise<void> = Promise.resolve();
  #speech: Promise<void> = Promise.resolve();
  #segments = 0;
  #isCutOff = false;
  #isOver = false;

  constructor(input: RoomAgentInput) {
    this.#input = input;
    this.#room = input.library.openRoom();
    this.#room.on("participantConnected", ({ identity }) => this.#arrived(identity));
    this.#room.on("participantDisconnected", ({ identity, disconnectReason }) =>
      this.#departed(identity, disconnectReason),
    );
    this.#room.on("reconnecting", () => this.#cutOff());
    this.#room.on("reconnected", () => this.#back());
    this.#room.on("disconnected", () => {
      if (!this.#isOver) {
        this.#isOver = true;
        this.#hush();
        input.talk.lost();
      }
    });
    this.#room.registerTextStreamHandler(CHAT_TOPIC, (reader, { identity }) => {
      // Words can be here before we were told who came.
      this.#arrived(identity);
      this.inTurn(async () => {
        const text = await Promise.race([textOf(reader), this.#never()]);
        if (!this.#isOver && text !== "") await input.talk.said(text);
      });
    });
  }

  /** Resolves when it is in the room. Rejects where it cannot be. */
  async join(): Promise<void> {
    const joining = this.#enter();
    // Who came first is greeted when the agent can speak.
    this.#turn = joining.catch(() => {});
    await joining;
  }

  async #enter(): Promise<void> {
    const { url, token, library, speaks } = this.#input;
    await this.#room.connect(url, token, { autoSubscribe: false, dynacast: false });
    if (speaks) {
      this.#source = library.openSource(SAMPLE_RATE, 1);
      this.#trackSid = (await library.publish(this.#room, this.#source)).sid;
    }
    for (const identity of this.#room.remoteParticipants.keys()) this.#arrived(identity);
  }

  /** Writes on the chat's stream. */
  async write(text: string): Promise<void> {
    if (this.#isOver) return;
    await this.#room.localParticipant?.sendText(text, { topic: CHAT_TOPIC });
  }

  /** Says something aloud, after what it is saying; and in writing, as a final transcription of its own track. */
  speak(text: string): void {
    this.#segments += 1;
    const attributes = {
      "lk.transcription_final": "true",
      "lk.segment_id": `segment-${this.#segments}`,
      ...(this.#trackSid !== undefined && { "lk.transcribed_track_id": this.#trackSid }),
    };
    this.#speech = this.#speech.then(async () => {
      if (this.#isOver) return;
      await this.#room.localParticipant?.sendText(text, { topic: TRANSCRIPTION_TOPIC, attributes });
      await this.#play(text);
    });
    this.#speech = this.#speech.catch((error: unknown) => {
      if (!this.#isOver) this.#input.onTrouble(error);
    });
  }

  /** Does something in its turn: after what is under way, before what comes later. */
  inTurn(work: () => Promise<void>): void {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      if (!this.#isOver) this.#input.onTrouble(error);
    });
  }

  /** Resolves when all that it was to say aloud is said. */
  async finish(): Promise<void> {
    await this.#speech;
    if (!this.#isOver) await this.#source?.waitForPlayout();
  }

  /** Leaves. Nothing is told of after that. */
  async leave(): Promise<void> {
    this.#isOver = true;
    this.#hush();
    this.#stopWaiting();
    this.#absences.clear();
    await this.#room.disconnect();
    await this.#source?.close();
  }

  /** What a stream that does not end within its time says. */
  async #never(): Promise<string> {
    await this.#input.clock.wait(READ_MS);
    return "";
  }

  #arrived(identity: string): void {
    const waited = this.#absences.get(identity);
    if (waited !== undefined) {
      this.#input.clock.cancel(waited);
      this.#absences.delete(identity);
    }
    if (this.#isOver || this.#present.has(identity)) return;
    this.#present.add(identity);
    this.#input.talk.joined();
  }

  #departed(identity: string, reason: number | undefined): void {
    if (!this.#present.has(identity) || reason === LEFT.duplicateIdentity) return;
    if (reason === LEFT.byItself || reason === LEFT.removed) {
      this.#gone(identity);
    } else if (!this.#absences.has(identity)) {
      this.#waitFor(identity);
    }
  }

  #cutOff(): void {
    this.#isCutOff = true;
    this.#stopWaiting();
  }

  #back(): void {
    this.#isCutOff = false;
    for (const identity of this.#room.remoteParticipants.keys()) this.#arrived(identity);
    for (const identity of this.#absences.keys()) this.#waitFor(identity);
  }

  #waitFor(identity: string): void {
    const timer = this.#isCutOff ? null : this.#input.clock.afterReal(REJOIN_MS, () => this.#gone(identity));
    this.#absences.set(identity, timer);
  }

  #stopWaiting(): void {
    for (const [identity, timer] of this.#absences) {
      this.#input.clock.cancel(timer);
      this.#absences.set(identity, null);
    }
  }

  #gone(identity: string): void {
    this.#absences.delete(identity);
    this.#present.delete(identity);
    if (this.#present.size === 0 && !this.#isOver) this.#input.talk.left();
  }

  async #play(text: string): Promise<void> {
    for (const data of spoken(text)) {
      if (this.#speaking.signal.aborted) return;
      // The source takes a second in advance, and then as much as was heard.
      await this.#source?.captureFrame({ data, sampleRate: SAMPLE_RATE, channels: 1 });
    }
  }

  #hush(): void {
    this.#speaking.abort();
    this.#source?.clearQueue();
  }
}

/** Null: more than any message has. It is not read on then. */
async function textOf(reader: RtcStreamReader): Promise<string | null> {
  if ((reader.info.totalSize ?? 0) > LONGEST_TEXT_BYTES) return null;
  let text = "";
  for await (const part of reader) {
    text += part;
    if (text.length > LONGEST_TEXT_BYTES) return null;
  }
  return text;
}
