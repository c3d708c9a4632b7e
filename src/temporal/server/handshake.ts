import net from "node:net";
import tls from "node:tls";

import type { TemporalTls } from "./access.ts";
import { reasonOf } from "./errors.ts";

/*
 * Whether somebody at an address speaks HTTP/2, over TLS or in the clear, as gRPC does. gRPC itself says no more than
 * that a deadline has passed, whatever is wrong: the name, the authority, the certificate, or all of it.
 */

/** What is wrong between us and the server, and what mends it. */
export class HandshakeError extends Error {
  override readonly name = "HandshakeError";
  readonly remedy: string;
  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}

/** How a client begins (RFC 9113, 3.4): the preface, and an empty frame of settings. */
const HELLO = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "latin1"),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

/** Where a frame has its type, and the type that a server's first one has to be of (RFC 9113, 4.1 and 6.5). */
const TYPE_AT = 3;
const SETTINGS = 4;

/**
 * Resolves once the server has introduced itself. By hand, because a session of node:http2 keeps to itself what a
 * server says against a client's certificate.
 *
 * @throws HandshakeError
 */
export function shakeHands(
  endpoint: { host: string; port: number },
  access: TemporalTls | undefined,
  withinMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = access ? tls.connect(optionsOf(endpoint, access)) : net.connect(endpoint);
    const settle = (error?: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      if (error === undefined) resolve();
      else reject(problemOf(error, access, endpoint.host));
    };
    const timer = setTimeout(() => settle(new SilentServerError(withinMs)), withinMs);
    socket.once(access ? "secureConnect" : "connect", () => socket.write(HELLO));
    let heard = Buffer.alloc(0);
    socket.on("data", (part: Buffer) => {
      heard = Buffer.concat([heard, part]);
      if (heard.length <= TYPE_AT) return;
      settle(heard[TYPE_AT] === SETTINGS ? undefined : new OtherProtocolError());
    });
    socket.once("error", settle);
    socket.once("close", () => settle(new HungUpError()));
  });
}

class SilentServerError extends Error {
  constructor(withinMs: number) {
    super(`no answer within ${withinMs / 1_000} s`);
  }
}

class OtherProtocolError extends Error {
  constructor() {
    super("what answers speaks something else than gRPC");
  }
}

class HungUpError extends Error {
  constructor() {
    super("the connection was closed");
  }
}

function optionsOf(
  { host, port }: { host: string; port: number },
  { serverName, caCertificates, client }: TemporalTls,
): tls.ConnectionOptions {
  // An address is no name to ask for (RFC 6066, 3); the certificate is held against it all the same.
  const name = serverName ?? (net.isIP(host) === 0 ? host : undefined);
  return {
    host,
    port,
    ALPNProtocols: ["h2"],
    ...(name !== undefined && { servername: name }),
    ...(caCertificates !== undefined && { ca: caCertificates }),
    ...(client && { cert: client.certificate, key: client.key }),
  };
}

/** Who vouches for the server is not among those whom we believe. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** OpenSSL wraps what it has to say into where in its sources it says so. */
function tlsReasonOf(error: unknown): string {
  if (error instanceof Error && "reason" in error && typeof error.reason === "string" && error.reason !== "")
    return error.reason;
  return reasonOf(error);
}

function problemOf(error: unknown, access: TemporalTls | undefined, host: string): HandshakeError {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const reason = tlsReasonOf(error);
  const told = (message: string, remedy: string) => new HandshakeError(message, remedy, { cause: error });
  if (error instanceof SilentServerError)
    return told(reason, "correct TEMPORAL_ADDRESS, or look at that server");
  if (access === undefined) {
    return told(
      `${reason}, when it is spoken to in the clear`,
      "set TEMPORAL_TLS=true if it speaks TLS, or correct TEMPORAL_ADDRESS",
    );
  }
  if (UNTRUSTED.has(code)) {
    return told(
      `nobody whom this machine trusts vouches for its certificate: ${reason}`,
      "set TEMPORAL_TLS_SERVER_CA_CERT_PATH to the certificates of the authority that made it",
    );
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return told(
      `its certificate is not for ${access.serverName ?? host}: ${reason}`,
      "set TEMPORAL_TLS_SERVER_NAME to a name that its certificate has",
    );
  }
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return told(
      `its certificate is not valid now: ${reason}`,
      "have the server's certificate renewed, and compare this machine's clock",
    );
  }
  // Some servers say what they dislike of the client, others hang up.
  if (/alert/i.test(reason) || code === "ECONNRESET" || error instanceof HungUpError) {
    return access.client
      ? told(
          `it refuses the client's certificate: ${reason}`,
          "set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH to a certificate of an authority that it knows",
        )
      : told(
          `it asks for a client's certificate: ${reason}`,
          "set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH",
        );
  }
  return told(
    `it does not speak TLS as gRPC does: ${reason}`,
    "set TEMPORAL_TLS=false if it speaks in the clear, or correct TEMPORAL_ADDRESS",
  );
}
