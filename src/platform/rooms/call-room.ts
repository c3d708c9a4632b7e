import type { RtcLibrary, RtcRoom, RtcSource } from "../../rtc/library.ts";
import type { Call } from "../operations/calls.ts";
import type { Calls } from "../resources/calls.ts";
import { isCallEnded } from "../waiting.ts";
import { InvalidRequestError } from "../errors.ts";
import { JoinedRoom, notConnected } from "./joined-room.ts";
import type { JoinOptions, RoomMessage } from "./joined-room.ts";
import { Queue } from "./queue.ts";

/** A piece of sound: 16 bits a sample, one channel. */
export interface Sound {
  readonly samples: Int16Array;
  /** Samples a second. */
  readonly sampleRate: number;
}

/** A web call that was joined. It is over when either side leaves; what is read from it then ends. */
export interface CallRoom {
  /** What the agent says aloud, as it comes. Who reads too slowly misses the oldest. */
  sound(): AsyncIterable<Sound>;
  /** What is said, in writing, where the platform's agent sends that. */
  transcript(): AsyncIterable<RoomMessage>;
  /**
   * Says something aloud: 48,000 samples a second. Resolves when all but the last second of it is on its way. Rejects
   * where the call is over, or ends meanwhile.
   */
  speak(sound: Sound): Promise<void>;
  /** Writes to the agent, for which it waits up to 20 seconds where that is not in the room. */
  write(content: string): Promise<void>;
  /** Leaves the room, which ends the call. */
  hangUp(): Promise<void>;
  /** Resolves when the call is over, or left; rejects where the room was lost for good. */
  readonly closed: Promise<void>;
}

/** Where LiveKit's agents write what is said. */
const TRANSCRIPTION = "lk.transcription";
const CHAT = "lk.chat";

/** Hertz of what WebRTC carries. */
const SAMPLE_RATE = 48_000;

/** Pieces of sound of 10 ms each: who reads later than five seconds hears no conversation. */
const MOST_SOUNDS = 500;
const MOST_LINES = 1_000;

/** Joins the room of a web or test call, with a microphone that is silent until something is said. */
export async function joinCall(
  calls: Pick<Calls, "get">,
  call: Call,
  { signal }: JoinOptions = {},
  onRoom: (room: JoinedRoom) => void = () => {},
): Promise<CallRoom> {
  const sounds = new Queue<Sound>(MOST_SOUNDS);
  const lines = new Queue<RoomMessage>(MOST_LINES);
  let settle = (_failure?: { readonly error: unknown }): void => {};
  const closed = new Promise<void>((resolve, reject) => {
    settle = (failure) => (failure === undefined ? resolve() : reject(failure.error));
  });
  // Whoever does not ask is not to be ended by it.
  closed.catch(() => {});
  let microphone: RtcSource | null = null;
  const speaking = new Set<(error: unknown) => void>();
  let isOver = false;
  const putAway = async () => {
    const old = microphone;
    microphone = null;
    // What it was still to say is never on its way, and the library does not say so.
    for (const reject of speaking) reject(notConnected("may_have_happened"));
    await old?.close();
  };
  const room = await JoinedRoom.join({
    ticket: call,
    topics: [TRANSCRIPTION],
    onText: (message) => lines.put(message),
    onJoined: async (joined, library) => {
      listenTo(joined, library, sounds);
      await putAway();
      if (isOver) return;
      microphone = library.openSource(SAMPLE_RATE, 1);
      await library.publish(joined, microphone);
    },
    isOver: async () => isCallEnded(await calls.get(call.call_id)),
    signal,
    onClosed: async (failure) => {
      isOver = true;
      sounds.end(failure);
      lines.end(failure);
      settle(failure);
      await putAway().catch(() => {});
    },
  });
  onRoom(room);
  return {
    sound: () => sounds.read(),
    transcript: () => lines.read(),
    speak: async ({ samples, sampleRate }) => {
      checkRate(sampleRate);
      const source = microphone;
      if (source === null) throw notConnected("did_not_happen");
      if (samples.length === 0) return;
      await new Promise<void>((resolve, reject) => {
        speaking.add(reject);
        void source
          .captureFrame({ data: samples, sampleRate, channels: 1 })
          .then(resolve, (error: unknown) => reject(notConnected("may_have_happened", error)))
          .finally(() => speaking.delete(reject));
      });
    },
    write: (content) => room.write(content, CHAT),
    hangUp: () => room.leave(),
    closed,
  };
}

/** What WebRTC carries; the library takes no other. */
function checkRate(sampleRate: number): void {
  if (sampleRate === SAMPLE_RATE) return;
  throw new InvalidRequestError({
    endpoint: undefined,
    problem: `sound is spoken with ${SAMPLE_RATE} samples a second: resample it`,
    effect: "did_not_happen",
    fieldErrors: [{ field: "sampleRate", message: `must be ${SAMPLE_RATE}` }],
  });
}

function listenTo(room: RtcRoom, library: RtcLibrary, sounds: Queue<Sound>): void {
  room.on("trackSubscribed", (track) => {
    void (async () => {
      for await (const { data, sampleRate } of library.listen(track, SAMPLE_RATE)) {
        sounds.put({ samples: data, sampleRate });
      }
    })().catch(() => {
      // The track ended in the middle of a frame: the room says what comes of it.
    });
  });
}
