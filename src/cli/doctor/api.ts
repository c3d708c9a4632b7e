import { X509Certificate } from "node:crypto";

import type { Config } from "../../config.ts";
import { isLoopback } from "../../http/loopback.ts";
import { readTls, TlsFilesError } from "../../http/tls.ts";
import { countText } from "../view/words.ts";
import { fail, ok, warn, type Check } from "./check.ts";

const DAY_MS = 86_400_000;

/** Who renews by a program does so weeks before. */
const WARNED_DAYS = 14;

const RENEW = "renew it in place: a running server takes the new files within a minute, without a restart";

/** Whether the API speaks TLS where it should, and until when its certificate is good. */
export function checkApi({ api }: Pick<Config, "api">, nowMs: number): Check[] {
  const { host, tls } = api;
  if (!tls) {
    if (isLoopback(host)) return [];
    return [
      warn(
        "API",
        `listens on ${host} without TLS: tokens and numbers can be read on the way`,
        "set OUTDIAL_API_TLS_CERT and OUTDIAL_API_TLS_KEY, or have a proxy on this machine speak TLS and set OUTDIAL_API_HOST=127.0.0.1",
      ),
    ];
  }
  try {
    const certificate = new X509Certificate(readTls(tls).cert);
    const endsMs = Date.parse(certificate.validTo);
    const ends = new Date(endsMs).toISOString();
    const days = Math.floor((endsMs - nowMs) / DAY_MS);
    if (endsMs <= nowMs) return [fail("API certificate", `ended at ${ends}: nobody trusts it`, RENEW)];
    if (days >= WARNED_DAYS) return [ok("API certificate", `good until ${ends}`)];
    return [warn("API certificate", `ends in ${countText(days, "day")}, at ${ends}`, RENEW)];
  } catch (error) {
    if (!(error instanceof TlsFilesError)) throw error;
    return [fail("API certificate", error.message, "mend the files, or unset both settings")];
  }
}
