import { X509Certificate } from "node:crypto";
import fs from "node:fs";
import type { AgentOptions } from "node:https";

import type { Config } from "../../config.ts";
import { reasonWords } from "../../domain/ground/reason-words.ts";
import { isLoopback } from "../../http/loopback.ts";

/** Whose certificates are taken for the API's, beside those that everybody trusts. */
export interface Trust {
  /** Of who signed it. */
  caFile: string | undefined;
  /** The one that a server of these settings shows: on this machine it is taken whatever name it is for. */
  ownCertFile: string | undefined;
}

/** Of the settings, as a part of an address; none where they say nothing of it. */
export function trustOf({ api }: Pick<Config, "api">): { trust?: Trust } {
  const { caFile, tls } = api;
  return caFile === undefined && tls === undefined ? {} : { trust: { caFile, ownCertFile: tls?.certFile } };
}

/** A file that says whom to trust can't be read. */
export class TrustFileError extends Error {
  override readonly name = "TrustFileError";
}

/** What a connection to a host is verified by. @throws TrustFileError where a file can't be read. */
export async function verifying(host: string, { caFile, ownCertFile }: Trust): Promise<AgentOptions> {
  const own =
    ownCertFile !== undefined && isLoopback(host) ? textIn(ownCertFile, "OUTDIAL_API_TLS_CERT") : undefined;
  const ca = caFile === undefined ? undefined : textIn(caFile, "OUTDIAL_API_CA");
  if (own === undefined && ca === undefined) return {};
  const { checkServerIdentity, rootCertificates } = await import("node:tls");
  const ownRaw = own === undefined ? undefined : new X509Certificate(own).raw;
  return {
    ca: [...rootCertificates, ...[ca, own].filter((one) => one !== undefined)],
    // The server's own certificate is trusted as it is, whoever signed it.
    allowPartialTrustChain: true,
    checkServerIdentity: (name, certificate) =>
      ownRaw?.equals(certificate.raw) ? undefined : checkServerIdentity(name, certificate),
  };
}

function textIn(file: string, setting: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new TrustFileError(`${setting} names a file that can't be read (${file}: ${reasonWords(error)})`, {
      cause: error,
    });
  }
}
