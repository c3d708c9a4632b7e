import { X509Certificate, createPrivateKey } from "node:crypto";
import fs from "node:fs";
import { Server as HttpsServer } from "node:https";
import type { Server } from "node:http";

import { reasonWords } from "../domain/ground/reason-words.ts";

/*
 * TLS of the API: a certificate and its key, from files that somebody renews. They are looked at now and then, and taken
 * without a restart once both fit; what does not fit is told, and the pair before it serves on.
 */

/** Files in PEM. The first certificate is the API's, those behind it are of who vouches for it. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

/** What the files hold. */
export interface TlsPair {
  cert: string;
  key: string;
}

/** They can't be used; says why, and what to do. */
export class TlsFilesError extends Error {
  override readonly name = "TlsFilesError";
}

/** @throws TlsFilesError where one of them can't be read, or they do not go together. */
export function readTls({ certFile, keyFile }: TlsFiles): TlsPair {
  const cert = textIn(certFile, "OUTDIAL_API_TLS_CERT");
  const key = textIn(keyFile, "OUTDIAL_API_TLS_KEY");
  const certificate = parsed(certFile, "OUTDIAL_API_TLS_CERT", () => new X509Certificate(cert));
  const privateKey = parsed(keyFile, "OUTDIAL_API_TLS_KEY", () => createPrivateKey(key));
  if (certificate.checkPrivateKey(privateKey)) return { cert, key };
  throw new TlsFilesError(
    `the key in ${keyFile} is not that of the certificate in ${certFile}: set OUTDIAL_API_TLS_CERT and OUTDIAL_API_TLS_KEY to a pair`,
  );
}

function textIn(file: string, setting: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new TlsFilesError(`${setting} names a file that can't be read (${file}: ${reasonWords(error)})`, {
      cause: error,
    });
  }
}

function parsed<T>(file: string, setting: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const what = setting.endsWith("KEY") ? "private key without a passphrase" : "certificate";
    throw new TlsFilesError(`${setting} names a file that holds no ${what} in PEM (${file})`, {
      cause: error,
    });
  }
}

/** A renewed certificate is in use within a minute; two small files are read for it. */
const LOOKS_EVERY_MS = 60_000;

/** The part of a logger that is told of it. */
interface RenewalLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Has a server take a renewed pair from the files. */
export function keepRenewed(
  server: Server | HttpsServer,
  files: TlsFiles,
  { pair, log }: { pair: TlsPair; log: RenewalLog },
): { look(): void; stop(): void } {
  let inUse = pair;
  let told: string | undefined;
  const look = () => {
    try {
      const found = readTls(files);
      told = undefined;
      if (found.cert === inUse.cert && found.key === inUse.key) return;
      if (server instanceof HttpsServer) server.setSecureContext({ ...found, minVersion: "TLSv1.2" });
      inUse = found;
      log.info(
        { ends: new X509Certificate(found.cert).validTo },
        "the API serves with a renewed certificate",
      );
    } catch (error) {
      // Between its writing and that of its key a certificate fits nothing: that is told once, and over soon.
      const why = String(error);
      if (why !== told)
        log.warn({ error: why }, "the API's new certificate can't be used; the one before serves on");
      told = why;
    }
  };
  const timer = setInterval(look, LOOKS_EVERY_MS);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}
