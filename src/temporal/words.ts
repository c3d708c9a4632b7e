import { errorsBehind, reasonWords, wordsOfCode } from "../domain/ground/reason-words.ts";

/** gRPC's status codes (grpc.io, "Status codes"), as far as people meet them, in words. */
const WORDS: Readonly<Record<number, string>> = {
  1: "it was given up",
  4: "there is no answer in time",
  5: "there is no such namespace, or nothing of that name",
  7: "the key may not do that, or not in this namespace",
  8: "it takes no more at the moment",
  12: "it is of a version that does not know this",
  13: "it fails",
  14: "it can't be reached",
  16: "it refuses the key",
};

/** What an error of gRPC carries, whichever client made it. */
interface Status {
  code: number;
  details: string;
}

function statusIn(error: unknown): Status | undefined {
  for (const one of errorsBehind(error)) {
    if ("code" in one && typeof one.code === "number" && "details" in one)
      return { code: one.code, details: String(one.details) };
  }
  return undefined;
}

/** Of connections, whose errors have no code: the client's, and the native one of workers. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/before the deadline/i, "there is no connection in time"],
  [/ConnectionRefused/, "nobody listens there"],
  [/dns error|failed to lookup/i, "there is no host of that name"],
  [/certificate|UnknownIssuer|tls/i, "its certificate is not accepted, or it speaks no TLS"],
  [/tonic::|transport error|hyper/i, "it can't be reached"],
];

function connectionWords(error: unknown): string | undefined {
  for (const { name, message } of errorsBehind(error)) {
    if (name !== "Error" && name !== "TransportError") continue;
    const words = TEXTS.find(([pattern]) => pattern.test(message))?.[1];
    if (words !== undefined) return words;
  }
  return undefined;
}

/** Why Temporal did not do what it was asked, in words: gRPC's own name its parts. */
export function temporalWords(error: unknown): string {
  const status = statusIn(error);
  const words = status && WORDS[status.code];
  if (status === undefined || words === undefined) return connectionWords(error) ?? reasonWords(error);
  // What lies under a connection that was not made is told in its details.
  const code = /\b(?:E[A-Z]{3,}|[A-Z]+(?:_[A-Z]+)+)\b/.exec(status.details)?.[0] ?? "";
  const under = status.code === 14 ? wordsOfCode(code) : undefined;
  return under ?? words;
}
