import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** A certificate and its key, as files in PEM. */
export interface Issued {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** Somebody who vouches for others, with keys of this test alone. */
export interface Authority {
  readonly caFile: string;
  readonly ca: string;
  /** A certificate for a server's names or addresses, or of a client that has none. */
  issue(name: string, altNames?: readonly string[]): Issued;
}

function openssl(...args: readonly string[]): void {
  execFileSync("openssl", args, { stdio: ["ignore", "ignore", "pipe"] });
}

const EC = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Made by `openssl`, in a folder that the caller removes. */
export function createAuthority(folder: string, name: string): Authority {
  fs.mkdirSync(folder, { recursive: true });
  const file = (base: string, extension: string) => path.join(folder, `${base}.${extension}`);
  const caFile = file(name, "pem");
  const caKey = file(name, "key");
  openssl("req", "-x509", ...EC, "-days", "2", "-subj", `/CN=${name}`, "-keyout", caKey, "-out", caFile);
  return {
    caFile,
    ca: fs.readFileSync(caFile, "utf8"),
    issue(who, altNames = []) {
      const [certFile, keyFile] = [file(who, "pem"), file(who, "key")];
      const [request, extensions] = [file(who, "csr"), file(who, "ext")];
      const names = altNames.map((one) => (/^[\d.:]+$/.test(one) ? `IP:${one}` : `DNS:${one}`));
      fs.writeFileSync(
        extensions,
        [
          "basicConstraints=CA:FALSE",
          ...(names.length > 0 ? [`subjectAltName=${names.join(",")}`] : []),
          "",
        ].join("\n"),
      );
      openssl("req", ...EC, "-subj", `/CN=${who}`, "-keyout", keyFile, "-out", request);
      const by = ["-CA", caFile, "-CAkey", caKey, "-CAcreateserial", "-days", "2", "-extfile", extensions];
      openssl("x509", "-req", "-in", request, ...by, "-out", certFile);
      return {
        certFile,
        keyFile,
        cert: fs.readFileSync(certFile, "utf8"),
        key: fs.readFileSync(keyFile, "utf8"),
      };
    },
  };
}
