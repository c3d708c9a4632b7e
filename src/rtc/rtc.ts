import type * as Rtc from "@livekit/rtc-node";
import { createRequire } from "node:module";

import type { RtcLibrary, RtcRoom, RtcSource } from "./library.ts";

/*
 * LiveKit's library for Node.js, loaded when the first room is joined.
 *
 * 1. It is an optional peer: whoever joins no room does not install its 27 MB.
 * 2. Once loaded it keeps the process alive, rooms or no rooms, until it is disposed of. So it is counted who uses it,
 *    and with the last one it goes. It can be started again afterwards. The count is the process's, as the library's
 *    one instance is: a program may have us twice, as the client's own package and as the sandbox.
 * 3. It logs to standard output, which belongs to the program. Its log is given a place that takes everything and
 *    says nothing: what it has to tell us comes as errors and events.
 */

const PACKAGE = "@livekit/rtc-node";
const VERSION = "1.1.0";

/** There is no library to join rooms with. */
class RtcMissingError extends Error {
  override readonly name = "RtcMissingError";
}

export interface RtcLease {
  readonly library: RtcLibrary;
  /** Gives it back; with the last one, the library lets the process end. */
  release(): Promise<void>;
}

type Module = typeof Rtc;

interface Use {
  users: number;
  loading: Promise<Module> | null;
  disposing: Promise<void>;
}

const use = useOfProcess();

/** Of all of us in this process. The number in its name goes up where its shape changes. */
function useOfProcess(): Use {
  const key = Symbol.for("outdial.rtc.1");
  const holder: typeof globalThis & { [key]?: Use } = globalThis;
  return (holder[key] ??= { users: 0, loading: null, disposing: Promise.resolve() });
}

/** @throws RtcMissingError where the library is not installed, or has no build for this machine */
export async function leaseRtc(): Promise<RtcLease> {
  use.users += 1;
  let isReleased = false;
  const release = async () => {
    if (isReleased) return;
    isReleased = true;
    use.users -= 1;
    if (use.users === 0) await dispose();
  };
  try {
    await use.disposing;
    return { library: libraryOf(await (use.loading ??= load())), release };
  } catch (error) {
    use.loading = null;
    await release();
    throw error;
  }
}

async function dispose(): Promise<void> {
  if (use.loading === null) return;
  const module = await use.loading.catch(() => null);
  if (module === null || use.users > 0) return;
  use.disposing = module.dispose();
  await use.disposing;
  // Its own way to the one instance that it keeps; with none there it starts anew.
  Reflect.set(globalThis, "_ffiClientInstance", undefined);
}

async function load(): Promise<Module> {
  try {
    const restore = muteLog();
    try {
      return await import("@livekit/rtc-node");
    } finally {
      restore();
    }
  } catch (error) {
    throw new RtcMissingError(
      `joining rooms needs ${PACKAGE}, which can't be loaded here (${error instanceof Error ? error.message.split("\n")[0] : String(error)}): ` +
        `npm install ${PACKAGE}@${VERSION}`,
      { cause: error },
    );
  }
}

/** While it loads, the library that it logs with makes loggers that write nowhere. */
function muteLog(): () => void {
  const itsOwn = createRequire(createRequire(import.meta.url).resolve(PACKAGE));
  const pino: { pino?: unknown } = itsOwn("pino");
  const { pino: make } = pino;
  if (typeof make !== "function") return () => {};
  pino.pino = (options: unknown) => make(options, { write() {} });
  return () => {
    pino.pino = make;
  };
}

/**
 * A room that was left takes its ear off the library's one instance; one that the server closed does not, and would hear
 * of every other room for as long as that lives.
 */
function forget(room: object): void {
  const holder: typeof globalThis & { _ffiClientInstance?: { off?: unknown } | undefined } = globalThis;
  const instance = holder._ffiClientInstance;
  if (typeof instance?.off === "function")
    Reflect.apply(instance.off, instance, ["ffi_event", Reflect.get(room, "onFfiEvent")]);
}

/** The library sends a frame's whole buffer: of a piece of a longer one it would send the beginning. */
function wholeOf(samples: Int16Array): Int16Array {
  return samples.byteLength === samples.buffer.byteLength ? samples : samples.slice();
}

function libraryOf(module: Module): RtcLibrary {
  // What the library gave is given back to it.
  const rooms = new WeakMap<RtcRoom, InstanceType<Module["Room"]>>();
  const sources = new WeakMap<RtcSource, InstanceType<Module["AudioSource"]>>();
  return {
    openRoom: () => {
      const room = new module.Room();
      rooms.set(room, room);
      room.once(module.RoomEvent.Disconnected, () => forget(room));
      return room;
    },
    openSource: (sampleRate, channels) => {
      const source = new module.AudioSource(sampleRate, channels);
      const own: RtcSource = {
        captureFrame: async (frame) =>
          source.captureFrame(
            new module.AudioFrame(
              wholeOf(frame.data),
              frame.sampleRate,
              frame.channels,
              frame.data.length / frame.channels,
            ),
          ),
        clearQueue: () => source.clearQueue(),
        waitForPlayout: () => source.waitForPlayout(),
        close: () => source.close(),
      };
      sources.set(own, source);
      return own;
    },
    publish: async (room, source) => {
      const [itsRoom, itsSource] = [rooms.get(room), sources.get(source)];
      if (itsRoom?.localParticipant === undefined || itsSource === undefined) {
        throw new Error("a track is published in a room that is joined");
      }
      const options = new module.TrackPublishOptions();
      options.source = module.TrackSource.SOURCE_MICROPHONE;
      const track = module.LocalAudioTrack.createAudioTrack("voice", itsSource);
      return await itsRoom.localParticipant.publishTrack(track, options);
    },
    listen: (track, sampleRate) => {
      if (!(track instanceof module.RemoteAudioTrack))
        throw new Error("only tracks of sound are listened to");
      return new module.AudioStream(track, { sampleRate, numChannels: 1 });
    },
  };
}
