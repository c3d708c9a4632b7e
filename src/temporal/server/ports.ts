import { createServer } from "node:net";
import { TemporalUnavailableError } from "./errors.ts";

/**
 * Where free ports are looked for: below the ranges from which systems take the ports of outgoing connections
 * (Linux from 32768, macOS and IANA from 49152), so that no connection of anybody sits on the server's port
 * while it restarts.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;
/** With one port in ten taken, fifty tries all fail once in 10^50. */
const TRIES = 50;

/** Whether a server could listen there now. */
export function isPortFree(ip: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen({ host: ip, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

export interface PortWish {
  readonly ip: string;
  /** Exactly this one. */
  readonly required?: number | undefined;
  /** This one if it is free, as on the last run. */
  readonly preferred?: number | undefined;
  readonly taken: readonly number[];
}

/**
 * A port on which nobody listens.
 *
 * @throws TemporalUnavailableError where the required port is taken.
 */
export async function choosePort(
  { ip, required, preferred, taken }: PortWish,
  isFree: typeof isPortFree = isPortFree,
): Promise<number> {
  if (required !== undefined) {
    if (await isFree(ip, required)) return required;
    throw new TemporalUnavailableError(
      `port ${required} on ${ip}, asked for the Temporal server, is in use: end what uses it, or choose another`,
    );
  }
  if (preferred !== undefined && !taken.includes(preferred) && (await isFree(ip, preferred)))
    return preferred;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT + 1));
    if (!taken.includes(port) && (await isFree(ip, port))) return port;
  }
  throw new TemporalUnavailableError(`no free port for the Temporal server on ${ip}`);
}
