import { Connection, isGrpcServiceError } from "@temporalio/client";
import { msToTs, tsToMs } from "@temporalio/common/lib/time.js";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { hasSearchAttributes } from "../search-attributes.ts";
import { targetOf, type TemporalAccess } from "./access.ts";
import { reasonOf, TemporalUnavailableError } from "./errors.ts";
import { HandshakeError, shakeHands } from "./handshake.ts";

/** gRPC status codes (grpc.io, "Status codes"). */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** One try to reach the frontend. On this machine it answers in milliseconds or not at all. */
const LOCAL_CONNECT_MS = 1_000;
/** One try over a network, name lookup included. */
const REMOTE_CONNECT_MS = 5_000;
/** Between two tries: a start takes some 100 ms. */
const POLL_MS = 50;
/** A namespace that was just registered is known to all parts of a server within its cache's seconds. */
export const NAMESPACE_BOUND_MS = 20_000;
/**
 * How long a server of ours keeps closed workflows. Its own default is 24 hours: a campaign's batches would be
 * gone from the web UI before the campaign is.
 */
const RETENTION_MS = 30 * 24 * 3_600_000;

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/**
 * "host:port"; a host with colons in brackets.
 *
 * @throws TemporalUnavailableError for anything else.
 */
export function parseAddress(address: string): Endpoint {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([^\s:/@[\]]+)):(\d{1,5})$/.exec(address);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host === undefined || port < 1 || port > 65_535) {
    throw new TemporalUnavailableError(
      `TEMPORAL_ADDRESS is ${JSON.stringify(address)}, which is not host:port; an example: 127.0.0.1:7233`,
    );
  }
  return { host, port };
}

/**
 * Checks that somebody else's server answers, lets us in and has the namespace. Changes nothing there.
 *
 * @returns the server's version, and whether the namespace knows what workflows are found by (undefined: nobody can tell).
 * @throws TemporalUnavailableError within some twenty seconds, with the remedy.
 */
export async function checkGivenServer(
  address: string,
  namespace: string,
  access: TemporalAccess,
): Promise<{ serverVersion: string; isSearchable: boolean | undefined }> {
  const connection = await connectToGiven(address, access);
  try {
    return await connection.withDeadline(Date.now() + REMOTE_CONNECT_MS, async () => {
      if (!(await hasNamespace(connection, namespace))) {
        throw new TemporalUnavailableError(
          `the Temporal server at ${address} has no namespace ${namespace}: create it there ` +
            `(temporal operator namespace create --namespace ${namespace} --address ${address}), or name another`,
        );
      }
      return {
        serverVersion: await serverVersion(connection),
        // What only helps people to look keeps nobody from working, such as a namespace that is seconds old.
        isSearchable: await hasSearchAttributes(connection, namespace).catch(() => undefined),
      };
    });
  } catch (error) {
    if (error instanceof TemporalUnavailableError) throw error;
    const remedy = isRefusal(error) ? KEY_REMEDY : REMEDY;
    throw new TemporalUnavailableError(
      `the Temporal server at TEMPORAL_ADDRESS=${address} refuses (${reasonOf(error)}): ${remedy}`,
      [],
      { cause: error },
    );
  } finally {
    await connection.close();
  }
}

const REMEDY = "start that server, correct TEMPORAL_ADDRESS, or unset it to have a server provided";
const KEY_REMEDY =
  "correct TEMPORAL_API_KEY or the client's certificate, and see that they may use the namespace";

/** One part after the other: gRPC says only "deadline exceeded", this says which part fails. */
async function connectToGiven(address: string, access: TemporalAccess): Promise<Connection> {
  const endpoint = parseAddress(address);
  try {
    await reach(endpoint);
    await shakeHands(endpoint, access.tls, REMOTE_CONNECT_MS);
    return await Connection.connect({ ...targetOf(address, access), connectTimeout: REMOTE_CONNECT_MS });
  } catch (error) {
    const remedy = error instanceof HandshakeError ? error.remedy : isRefusal(error) ? KEY_REMEDY : REMEDY;
    throw new TemporalUnavailableError(
      `no Temporal server answers at TEMPORAL_ADDRESS=${address} (${reasonOf(error)}): ${remedy}`,
      [],
      { cause: error },
    );
  }
}

/** Whoever may work in a namespace may not everywhere ask how it is set up. */
async function hasNamespace(connection: Connection, namespace: string): Promise<boolean> {
  try {
    return (await retentionMs(connection, namespace)) !== undefined;
  } catch (error) {
    if (statusOf(error) !== PERMISSION_DENIED) throw error;
    await connection.workflowService.countWorkflowExecutions({ namespace, query: "" });
    return true;
  }
}

function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status === PERMISSION_DENIED || status === UNAUTHENTICATED;
}

/** Resolves with the frontend's version, or undefined where it did not answer within the bound or `abort`. */
export async function waitForFrontend(
  address: string,
  boundMs: number,
  aborted: AbortSignal,
): Promise<string | undefined> {
  const deadline = performance.now() + boundMs;
  while (!aborted.aborted && performance.now() < deadline) {
    try {
      await reach(parseAddress(address));
      const connection = await Connection.connect({ address, connectTimeout: LOCAL_CONNECT_MS });
      try {
        const inTime = Date.now() + LOCAL_CONNECT_MS;
        return await connection.withDeadline(inTime, () => serverVersion(connection));
      } finally {
        await connection.close();
      }
    } catch {
      // Not yet. Whoever asked says what to do when the bound has passed, with the server's log at hand.
      await delay(POLL_MS);
    }
  }
  return undefined;
}

/**
 * On a server of ours: makes the namespace exist, be usable, and keep closed workflows long enough.
 *
 * @throws TemporalUnavailableError where that takes longer than it ever should.
 */
export async function prepareNamespace(
  address: string,
  namespace: string,
  boundMs = NAMESPACE_BOUND_MS,
): Promise<void> {
  // A server that hangs in the middle of it answers nothing for ever.
  const answerMs = Math.min(REMOTE_CONNECT_MS, boundMs);
  const unusable = (error: unknown) =>
    new TemporalUnavailableError(
      `the namespace ${namespace} of the Temporal server at ${address} cannot be used: ${reasonOf(error)}`,
      [],
      { cause: error },
    );
  const connection = await Connection.connect({ address, connectTimeout: answerMs }).catch(
    (error: unknown) => {
      throw unusable(error);
    },
  );
  const deadline = performance.now() + boundMs;
  const retention = msToTs(RETENTION_MS);
  const service = connection.workflowService;
  try {
    for (;;) {
      try {
        return await connection.withDeadline(Date.now() + answerMs, async () => {
          const keptMs = await retentionMs(connection, namespace);
          if (keptMs === undefined) {
            await service.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention });
          } else if (keptMs < RETENTION_MS) {
            await service.updateNamespace({
              namespace,
              config: { workflowExecutionRetentionTtl: retention },
            });
          }
          // Describing asks the store, this asks what serves workflows: only then can one be started.
          await service.countWorkflowExecutions({ namespace, query: "" });
        });
      } catch (error) {
        if (performance.now() > deadline) throw unusable(error);
        // Somebody else registers it, or the server is still spreading the news.
        if (statusOf(error) === undefined) throw error;
        if (statusOf(error) !== ALREADY_EXISTS) await delay(POLL_MS);
      }
    }
  } finally {
    await connection.close();
  }
}

/** For how long the namespace keeps closed workflows; undefined where there is no such namespace. */
async function retentionMs(connection: Connection, namespace: string): Promise<number | undefined> {
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    return tsToMs(config?.workflowExecutionRetentionTtl ?? {});
  } catch (error) {
    if (statusOf(error) === NOT_FOUND) return undefined;
    throw error;
  }
}

/** The gRPC status code of an answer; undefined for any other error. */
function statusOf(error: unknown): number | undefined {
  return isGrpcServiceError(error) ? error.code : undefined;
}

async function serverVersion(connection: Connection): Promise<string> {
  const info = await connection.workflowService.getSystemInfo({});
  return info.serverVersion ?? "unknown";
}

function reach({ host, port }: Endpoint): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: REMOTE_CONNECT_MS });
    const settle = (outcome: () => void) => {
      socket.destroy();
      outcome();
    };
    socket.once("connect", () => settle(resolve));
    socket.once("error", (error) => settle(() => reject(error)));
    socket.once("timeout", () =>
      settle(() => reject(new Error(`no answer within ${REMOTE_CONNECT_MS / 1_000} s`))),
    );
  });
}
