import { leaseRtc } from "../../rtc/rtc.ts";
import type { RtcLibrary } from "../../rtc/library.ts";
import { SandboxOptionsError } from "../options-error.ts";
import { findLivekit } from "./livekit-executable.ts";
import type { LivekitSearch } from "./livekit-executable.ts";
import { RoomApi } from "./room-api.ts";
import { startRoomServer } from "./room-server.ts";

/** Which rooms a sandbox has. */
export type RoomsOption =
  | "none"
  | "simulated"
  | {
      /** Of a LiveKit server that runs, `ws:` or `wss:`. */
      readonly url: string;
      readonly apiKey: string;
      readonly apiSecret: string;
      readonly patienceMs?: number | undefined;
    }
  | {
      /**
       * An executable of LiveKit's server, which is started on this machine and ends with the sandbox; or where to look
       * for one.
       */
      readonly server: string | LivekitSearch;
      readonly patienceMs?: number | undefined;
    };

/** How long a room may be empty: LiveKit's own default. Of the real world: people are not faster at any speed. */
const PATIENCE_MS = 300_000;

/** A LiveKit server that answers, and the library that its rooms are joined with. */
export interface RoomSource {
  readonly api: RoomApi;
  readonly library: RtcLibrary;
  readonly patienceMs: number;
  /** Null: the server is not ours. */
  readonly restart: (() => Promise<void>) | null;
  close(): Promise<void>;
}

/** Null where no server is asked for. Throws where it does not answer, does not trust us, or the library is missing. */
export async function openRoomSource(option: RoomsOption): Promise<RoomSource | null> {
  if (option === "none" || option === "simulated") {
    return null;
  }
  const opened: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const end of opened.toReversed()) await end();
  };
  try {
    const server = "server" in option ? await startRoomServer(await executableOf(option.server)) : null;
    if (server !== null) opened.push(() => server.stop());
    const lease = await leaseRtc();
    opened.push(() => lease.release());
    const api = new RoomApi(server?.access ?? accessOf(option));
    // Tells at the start what every call would fail with.
    await api.delete("outdial-sandbox-is-here");
    const { patienceMs = PATIENCE_MS } = option;
    return { api, library: lease.library, patienceMs, restart: server?.restart ?? null, close };
  } catch (error) {
    await close();
    throw error instanceof SandboxOptionsError
      ? error
      : new SandboxOptionsError(`rooms: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
  }
}

async function executableOf(server: string | LivekitSearch): Promise<string> {
  return typeof server === "string" ? server : await findLivekit(server);
}

function accessOf(option: Exclude<RoomsOption, string>) {
  if (!("url" in option)) {
    throw new Error("a server that was not started has a URL");
  }
  const { url, apiKey, apiSecret } = option;
  return { url: url.replace(/\/+$/, "").replace(/^http/, "ws"), apiKey, apiSecret };
}
