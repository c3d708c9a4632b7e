import { LEFT } from "../../rtc/library.ts";
import type { RtcLibrary, RtcRoom } from "../../rtc/library.ts";
import { leaseRtc } from "../../rtc/rtc.ts";
import type { RtcLease } from "../../rtc/rtc.ts";
import { onAbort } from "../abort.ts";
import { backoffMs } from "../backoff.ts";
import { AbortedError, ConnectionError, InvalidRequestError } from "../errors.ts";

export interface JoinOptions {
  /** Leaves the room when it is aborted; what is read from it then ends without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** What a chat session over `livekit`, or a web call, is joined by. */
export interface RoomTicket {
  readonly access_token?: string | undefined;
  readonly room_url?: string | undefined;
  readonly room_name?: string | undefined;
}

/** What somebody said in a room. */
export interface RoomMessage {
  /** Who: the agent's or the caller's name in the room. */
  readonly from: string;
  readonly content: string;
}

export interface RoomInput {
  readonly ticket: RoomTicket;
  /** The text streams that are read. */
  readonly topics: readonly string[];
  readonly onText: (message: RoomMessage) => void;
  /** Each time that the room is joined. */
  readonly onJoined: (room: RtcRoom, library: RtcLibrary) => Promise<void>;
  /** Whether what the room is for is over: asked of REST, which knows, when the room is lost. */
  readonly isOver: () => Promise<boolean>;
  readonly signal: AbortSignal | undefined;
  /** Once, however it ended. The library is there until it resolves. */
  readonly onClosed: (failure?: { readonly error: unknown }) => void | Promise<void>;
}

/** A server on the other side of the world answers within two; more is one that does not. */
const JOIN_TIMEOUT_MS = 20_000;

/** LiveKit's library reconnects by itself for some ten seconds. Beyond that we join anew, so often, and then give up. */
const MOST_REJOINS = 6;
const REJOIN_WAIT = { baseMs: 500, maxMs: 8_000 } as const;

/** While nobody else is there, REST is looked at: at first soon, since mostly somebody just left; then seldom. */
const LOOK_WAIT = { baseMs: 1_000, maxMs: 30_000 } as const;

/** Nobody else is there to read: who is expected comes within seconds, and words reach them a moment later. */
const READER_WITHIN_MS = 20_000;
const READER_EVERY_MS = 100;
const READER_SETTLES_MS = 1_000;

/** More is no message: an agent's longest reply is a fraction of it. */
const LONGEST_TEXT = 100_000;

/** Rooms that could not be joined, and are left again. */
const failing = new WeakSet<RtcRoom>();

/** A room that was joined, and is joined again where it is lost, until it is left or what it is for is over. */
export class JoinedRoom {
  readonly #input: RoomInput;
  readonly #lease: RtcLease;
  readonly #takeBack: () => void;
  readonly #leaving = new AbortController();
  #room: RtcRoom | null = null;
  /** The room in which we are alone, while that is looked after. */
  #aloneIn: RtcRoom | null = null;
  /** A room that is being joined: until it is known how that ended. */
  #joining: Promise<void> | null = null;
  /** Somebody who is to read what is written, while they are waited for. */
  #awaited: Promise<void> | null = null;
  /** What is being written into a room. */
  #written: { readonly room: RtcRoom; readonly last: Promise<void> } | null = null;
  #closed: Promise<void> | null = null;
  #settle = (): void => {};
  /** Resolves when it is left for good, by whomever. */
  readonly gone = new Promise<void>((resolve) => {
    this.#settle = resolve;
  });

  /** Resolves when it is joined. @throws InvalidRequestError where it can't be tried, ConnectionError, AbortedError */
  static async join(input: RoomInput): Promise<JoinedRoom> {
    const isAborted = () => input.signal?.aborted === true;
    if (isAborted()) throw aborted(input.signal);
    checked(input.ticket);
    const lease = await leaseRtc().catch((error: unknown) => {
      throw new InvalidRequestError({
        endpoint: undefined,
        problem: error instanceof Error ? error.message : String(error),
        effect: "did_not_happen",
        cause: error,
      });
    });
    // It took a while, in which nobody listened.
    if (isAborted()) {
      await lease.release();
      throw aborted(input.signal);
    }
    const room = new JoinedRoom(input, lease);
    try {
      await room.#enter();
    } catch (error) {
      await room.leave();
      throw isAborted() ? aborted(input.signal) : error;
    }
    return room;
  }

  private constructor(input: RoomInput, lease: RtcLease) {
    this.#input = input;
    this.#lease = lease;
    this.#takeBack = onAbort(input.signal, () => void this.leave());
  }

  /**
   * Writes on a text stream: what is written where nobody is would reach nobody, and waits until somebody is there.
   *
   * @throws ConnectionError where the room is not joined just now, or nobody comes
   */
  async write(text: string, topic: string): Promise<void> {
    const room = this.#room;
    const writer = room?.localParticipant;
    if (room === null || writer === undefined || !room.isConnected) throw notConnected("did_not_happen");
    if (room.remoteParticipants.size === 0) this.#awaited ??= this.#reader(room);
    const awaited = this.#awaited;
    // What is written meanwhile comes behind what was written before: two at once may arrive in either order.
    const before = this.#written?.room === room ? this.#written.last : undefined;
    const own = (async () => {
      if (awaited !== null) await awaited;
      await before;
      try {
        await writer.sendText(text, { topic });
      } catch (error) {
        throw notConnected("may_have_happened", error);
      }
    })();
    this.#written = { room, last: own.catch(() => {}) };
    await own;
  }

  /** Leaves. Resolves when that is done. */
  leave(): Promise<void> {
    return this.#close();
  }

  #close(failure?: { readonly error: unknown }): Promise<void> {
    return (this.#closed ??= (async () => {
      this.#leaving.abort();
      this.#takeBack();
      await this.#room?.disconnect().catch(() => {});
      await this.#input.onClosed(failure);
      // A library that is disposed of while it connects never says how that ended.
      if (this.#joining) void this.#joining.then(() => this.#lease.release());
      else await this.#lease.release();
    })().finally(this.#settle));
  }

  /** @throws ConnectionError where it can't be joined, is lost before it is, or is left meanwhile */
  async #enter(): Promise<void> {
    const { access_token: token, room_url: url } = checked(this.#input.ticket);
    const room = this.#lease.library.openRoom();
    for (const topic of this.#input.topics) {
      room.registerTextStreamHandler(topic, (reader, { identity }) => {
        void this.#read(reader, identity);
      });
    }
    room.on("participantDisconnected", () => void this.#lookWhileAlone(room));
    const wait = new AbortController();
    const giveUp = (why: string) => wait.abort(new Error(why));
    room.on("disconnected", (reason) => {
      if (this.#room === room) this.#lost(reason);
      else if (!failing.has(room)) giveUp("it was closed while it was joined");
    });
    const timer = setTimeout(giveUp, JOIN_TIMEOUT_MS, `no answer within ${JOIN_TIMEOUT_MS / 1_000} s`);
    const takeBack = onAbort(this.#leaving.signal, () => giveUp("it was left while it was joined"));
    if (this.#leaving.signal.aborted) giveUp("it was left before it was joined");
    try {
      await untilAborted(this.#connect(room, { url, token, wait: wait.signal }), wait.signal);
    } catch (error) {
      throw new ConnectionError({
        endpoint: undefined,
        problem: `the room can't be joined (${error instanceof Error ? error.message : String(error)})`,
        effect: "did_not_happen",
        sent: true,
        cause: error,
      });
    } finally {
      clearTimeout(timer);
      takeBack();
    }
  }

  /** However long that takes: where nobody waits for it any more, it is left again. */
  #connect(
    room: RtcRoom,
    { url, token, wait }: { url: string; token: string; wait: AbortSignal },
  ): Promise<void> {
    const connecting = (async () => {
      try {
        wait.throwIfAborted();
        await room.connect(url, token, { autoSubscribe: true, dynacast: false });
        wait.throwIfAborted();
        // A server that makes rooms for whoever comes makes one for a token whose room is over.
        if (room.remoteParticipants.size === 0 && (await this.#isOver()))
          throw new Error("what it is for is over");
        await this.#input.onJoined(room, this.#lease.library);
        wait.throwIfAborted();
        this.#room = room;
        void this.#lookWhileAlone(room);
      } catch (error) {
        // What it is left for is said, and not that it was left.
        failing.add(room);
        await room.disconnect().catch(() => {});
        throw error;
      }
    })();
    const settled = connecting
      .catch(() => {})
      .finally(() => {
        if (this.#joining === settled) this.#joining = null;
      });
    this.#joining = settled;
    return connecting;
  }

  #lost(reason: number): void {
    if (this.#leaving.signal.aborted) return;
    this.#room = null;
    if (reason === LEFT.duplicateIdentity) void this.#close({ error: joinedElsewhere() });
    else if (reason === LEFT.roomDeleted || reason === LEFT.removed) void this.#closeIfOver();
    else void this.#rejoin();
  }

  /**
   * Somebody ended the room: mostly with what it is for, which REST may know a moment later. It is joined again only where
   * that goes on after all: a server that makes rooms for whoever comes would make one that nobody else comes to.
   */
  async #closeIfOver(): Promise<void> {
    for (let tries = 1; tries <= MOST_REJOINS; tries += 1) {
      if (this.#leaving.signal.aborted) return;
      if (await this.#isOver()) return await this.#close();
      await this.#pause(backoffMs(tries, REJOIN_WAIT));
    }
    await this.#rejoin();
  }

  async #rejoin(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await this.#pause(backoffMs(tries, REJOIN_WAIT));
      if (this.#leaving.signal.aborted) return;
      try {
        if (await this.#input.isOver()) {
          await this.#close();
          return;
        }
        await this.#enter();
        return;
      } catch (error) {
        if (tries < MOST_REJOINS && !this.#leaving.signal.aborted) continue;
        // What it is for may have ended meanwhile, and the room with it.
        await this.#close((await this.#isOver()) ? undefined : { error });
        return;
      }
    }
  }

  /** Where the other side left and the room was not ended, REST alone tells that it is over. */
  async #lookWhileAlone(room: RtcRoom): Promise<void> {
    const isAlone = () =>
      this.#room === room && !this.#leaving.signal.aborted && room.remoteParticipants.size === 0;
    if (this.#aloneIn === room || !isAlone()) return;
    this.#aloneIn = room;
    for (let tries = 1; isAlone(); tries += 1) {
      await this.#pause(backoffMs(tries, LOOK_WAIT));
      if (isAlone() && (await this.#isOver()) && this.#room === room) await this.#close();
    }
    if (this.#aloneIn === room) this.#aloneIn = null;
  }

  /** Resolves when somebody reads what is written. @throws ConnectionError where nobody comes, or the room is left */
  async #reader(room: RtcRoom): Promise<void> {
    try {
      for (let waitedMs = 0; room.remoteParticipants.size === 0; waitedMs += READER_EVERY_MS) {
        if (waitedMs >= READER_WITHIN_MS) throw nobodyThere();
        await this.#pause(READER_EVERY_MS);
        if (this.#room !== room || this.#leaving.signal.aborted) throw notConnected("did_not_happen");
      }
      await this.#pause(READER_SETTLES_MS);
    } finally {
      this.#awaited = null;
    }
  }

  /** One that can't be asked has not said so. */
  async #isOver(): Promise<boolean> {
    return await this.#input.isOver().catch(() => false);
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        takeBack();
        resolve();
      }, ms);
      const takeBack = onAbort(this.#leaving.signal, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async #read(reader: AsyncIterable<string>, from: string): Promise<void> {
    let content = "";
    try {
      for await (const part of reader) {
        content += part;
        if (content.length > LONGEST_TEXT) return;
      }
    } catch {
      // The room went while it was said: half a message is none.
      return;
    }
    if (content !== "") this.#input.onText({ from, content });
  }
}

/** What comes of it, or why nobody waits for that any more. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let takeBack = (): void => {};
  const given = new Promise<never>((_resolve, reject) => {
    const refuse = () => reject(signal.reason as Error);
    if (signal.aborted) refuse();
    else takeBack = onAbort(signal, refuse);
  });
  try {
    await Promise.race([work, given]);
  } finally {
    takeBack();
  }
}

function checked({ access_token, room_url }: RoomTicket): { access_token: string; room_url: string } {
  if (access_token !== undefined && room_url !== undefined) return { access_token, room_url };
  throw new InvalidRequestError({
    endpoint: undefined,
    problem:
      "there is no room to join: access_token and room_url are in the answer that creates a web call, or a chat session with transport livekit, and in no other",
    effect: "did_not_happen",
    fieldErrors: [
      { field: access_token === undefined ? "access_token" : "room_url", message: "must be there" },
    ],
  });
}

function aborted(signal: AbortSignal | undefined): AbortedError {
  return new AbortedError({
    endpoint: undefined,
    problem: "the signal was aborted before the room was joined",
    effect: "did_not_happen",
    cause: signal?.reason,
  });
}

function joinedElsewhere(): ConnectionError {
  return new ConnectionError({
    endpoint: undefined,
    problem: "the room was joined with the same token elsewhere, and whoever came last has it",
    effect: "did_not_happen",
    sent: true,
    cause: undefined,
  });
}

function nobodyThere(): ConnectionError {
  return new ConnectionError({
    endpoint: undefined,
    problem: "nobody else is in the room, and nobody came to read what was written",
    effect: "did_not_happen",
    sent: false,
    cause: undefined,
  });
}

export function notConnected(
  effect: "did_not_happen" | "may_have_happened",
  cause?: unknown,
): ConnectionError {
  return new ConnectionError({
    endpoint: undefined,
    problem: "the room is not connected",
    effect,
    sent: effect === "may_have_happened",
    cause,
  });
}
