import { randomBytes } from "node:crypto";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createServer, Socket } from "node:net";

import { SandboxOptionsError } from "../options-error.ts";
import type { RoomAccess } from "./room-api.ts";

/** From its start until it answers: a second on two busy cores. */
const START_BOUND_MS = 20_000;
const POLL_MS = 50;

/** As much of its last words as helps. */
const WORDS_KEPT = 2_000;

/** Ports that were free when we looked may be taken when the server does. */
const START_TRIES = 3;

/**
 * The shell runs the server, and ends it when the pipe at 3 closes: with `stop`, and with this process, however that
 * ends. Nothing but rooms is lost with SIGKILL, and a polite end would wait for everybody to leave.
 */
const GUARD =
  '"$0" 3<&- & server=$!; (read -r _ <&3; kill -9 "$server") 2>/dev/null & guard=$!; wait "$server"; kill "$guard" 2>/dev/null';

/** A LiveKit server of our own, on this machine alone, which ends with this process. */
export interface RoomServer {
  readonly access: RoomAccess;
  /** Kills it and starts it again at the same address; every room and connection is lost. */
  readonly restart: () => Promise<void>;
  stop(): Promise<void>;
}

interface Ports {
  readonly http: number;
  readonly tcp: number;
  readonly udp: number;
}

/** Starts the server at `executable` and resolves when it answers. @throws SandboxOptionsError */
export async function startRoomServer(executable: string): Promise<RoomServer> {
  if (process.platform === "win32") {
    throw new SandboxOptionsError(
      "rooms: on Windows start a LiveKit server yourself, and name it by --livekit-url",
    );
  }
  const [apiKey, apiSecret] = ["sandbox", randomBytes(32).toString("base64url")];
  for (let tries = 1; ; tries += 1) {
    const ports = await freePorts();
    try {
      let running = await launch(executable, ports, { apiKey, apiSecret });
      let isStopped = false;
      // One after the other: a server that is being started is ended, too, and no two listen on one port.
      let last: Promise<void> = Promise.resolve();
      const then = (work: () => Promise<void>): Promise<void> => {
        const done = last.then(work);
        last = done.catch(() => {});
        return done;
      };
      return {
        access: { url: `ws://127.0.0.1:${ports.http}`, apiKey, apiSecret },
        restart: () =>
          then(async () => {
            if (isStopped) return;
            await running.end();
            running = await launch(executable, ports, { apiKey, apiSecret });
          }),
        stop: () => {
          isStopped = true;
          return then(() => running.end());
        },
      };
    } catch (error) {
      if (tries === START_TRIES) throw error;
    }
  }
}

interface Running {
  end(): Promise<void>;
}

async function launch(
  executable: string,
  ports: Ports,
  { apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string },
): Promise<Running> {
  // By the environment: arguments are in the list of processes.
  const env = { LIVEKIT_CONFIG: JSON.stringify(configOf(ports, { [apiKey]: apiSecret })) };
  const child = spawn("/bin/sh", ["-c", GUARD, executable], {
    env,
    // Out of reach of signals to our own group, which the server would answer with waiting for everybody to leave.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  let words = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      words = (words + text).slice(-WORDS_KEPT);
    });
  }
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true;
      resolve();
    };
    child.once("error", end);
    child.once("exit", end);
  });
  const running = { end: () => ended(child, gone) };
  const deadline = performance.now() + START_BOUND_MS;
  // Whoever else answers there is not the one that was started.
  const isUp = async () => (await answers(ports.http)) && !isGone;
  while (!(await isUp())) {
    if (isGone || performance.now() > deadline) {
      await running.end();
      throw new SandboxOptionsError(
        `rooms: the LiveKit server ${executable} ${isGone ? "ended at once" : `did not answer within ${START_BOUND_MS / 1_000} s`}` +
          `${words.trim() === "" ? "" : `: ${words.trim().split("\n").slice(-3).join(" | ")}`}; --livekit-server names an executable of LiveKit's server`,
      );
    }
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
  // Nothing of what it says keeps this process alive, nor does it.
  child.unref();
  for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
  return running;
}

/** JSON is YAML. The server listens on the loopback address, and on two ports that are told to those who join. */
function configOf(ports: Ports, keys: Readonly<Record<string, string>>) {
  return {
    port: ports.http,
    bind_addresses: ["127.0.0.1"],
    log_level: "warn",
    keys,
    // A room is there because the sandbox made it: with an old token nobody opens one that is over.
    room: { auto_create: false },
    rtc: {
      tcp_port: ports.tcp,
      udp_port: ports.udp,
      use_external_ip: false,
      node_ip: "127.0.0.1",
      enable_loopback_candidate: true,
      ips: { includes: ["127.0.0.1/32"] },
    },
  };
}

async function ended(child: ChildProcess, gone: Promise<void>): Promise<void> {
  child.ref();
  const [, , , guard] = child.stdio;
  guard?.destroy();
  await gone;
}

async function answers(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1_000) });
    return answer.ok;
  } catch {
    return false;
  }
}

/** Three that are free now. TCP's are held until all are known, so that none comes twice. */
async function freePorts(): Promise<Ports> {
  const servers = await Promise.all([hold(), hold(), hold()]);
  const [http, tcp, udp] = servers.map(({ port }) => port);
  await Promise.all(servers.map(({ release }) => release()));
  return { http: http ?? 0, tcp: tcp ?? 0, udp: udp ?? 0 };
}

async function hold(): Promise<{ readonly port: number; readonly release: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  const release = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  return { port: address.port, release };
}
