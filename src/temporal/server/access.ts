import type { ConnectionOptions } from "@temporalio/client";

/** How a server that is there already is spoken to. */
export interface TemporalAccess {
  /** Absent: in the clear. */
  readonly tls?: TemporalTls | undefined;
  readonly apiKey?: string | undefined;
  /** Headers of every request. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Everything in PEM. */
export interface TemporalTls {
  /** Whom the server's certificate has to name. Absent: the host of its address. */
  readonly serverName?: string | undefined;
  /** Who vouches for the server. Absent: whoever is known publicly. */
  readonly caCertificates?: string | undefined;
  /** Who we are, where the server asks for that. */
  readonly client?: { readonly certificate: string; readonly key: string } | undefined;
}

type Target = Required<Pick<ConnectionOptions, "address">> & {
  tls?: Exclude<ConnectionOptions["tls"], null | undefined>;
  apiKey?: string;
  metadata?: Record<string, string>;
};

/** As clients and workers of the SDK take it. */
export function targetOf(address: string, { tls, apiKey, metadata }: TemporalAccess): Target {
  return {
    address,
    ...(tls && { tls: tlsOptions(tls) }),
    ...(apiKey !== undefined && { apiKey }),
    ...(metadata && { metadata: { ...metadata } }),
  };
}

function tlsOptions({ serverName, caCertificates, client }: TemporalTls): Exclude<Target["tls"], undefined> {
  return {
    ...(serverName !== undefined && { serverNameOverride: serverName }),
    ...(caCertificates !== undefined && { serverRootCACertificate: Buffer.from(caCertificates) }),
    ...(client && {
      clientCertPair: { crt: Buffer.from(client.certificate), key: Buffer.from(client.key) },
    }),
  };
}
