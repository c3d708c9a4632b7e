/*
 * What the operating system, the network and TLS say by a code, as people say it. Their own texts ("connect
 * ECONNREFUSED 127.0.0.1:5432", "fetch failed") name a call of a program, and not what is wrong.
 */

const WORDS: Readonly<Record<string, string>> = {
  // Files.
  ENOENT: "there is no such file or folder",
  ENOTDIR: "the path leads through a file",
  EISDIR: "it is a folder",
  EEXIST: "it is there already",
  EACCES: "there is no permission",
  EPERM: "there is no permission",
  EROFS: "the disk can only be read",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk's quota is used up",
  EFBIG: "it would be larger than files may be here",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open on this machine",
  EBUSY: "it is in use",
  ETXTBSY: "it is being run",
  EIO: "the disk fails",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  EXDEV: "it would have to move to another disk",
  ENOEXEC: "it is no program for this machine",
  // The network.
  EADDRINUSE: "another program has the port",
  EADDRNOTAVAIL: "this machine has no such address",
  ECONNREFUSED: "nobody listens there",
  ECONNRESET: "the connection broke off",
  ECONNABORTED: "the connection broke off",
  EPIPE: "the connection broke off",
  ETIMEDOUT: "there is no answer",
  ENOTFOUND: "there is no host of that name",
  EAI_AGAIN: "the host's name can't be looked up now",
  EHOSTUNREACH: "there is no way to that host",
  ENETUNREACH: "there is no way to that network",
  ENETDOWN: "the network is down",
  UND_ERR_CONNECT_TIMEOUT: "there is no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "there is no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped coming",
  UND_ERR_SOCKET: "the connection broke off",
  ERR_INVALID_URL: "it is no address",
  // TLS (openssl-verify(1) and Node's own).
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet: see that this machine's clock is right",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is signed by nobody known here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is signed by nobody known here",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate is signed by nobody known here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is signed by nobody known here",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: "it speaks no TLS there",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it speaks no TLS there",
  EPROTO: "it speaks no TLS there that is understood",
};

const DEEPEST = 5;

/**
 * An error and those that lie behind it: a request's in its cause, those of a name with several addresses side by
 * side. Not behind errors with a name of their own, which say themselves what is wrong.
 */
export function* errorsBehind(error: unknown): Generator<Error> {
  let at = error;
  for (let depth = 0; depth < DEEPEST && at instanceof Error; depth += 1) {
    yield at;
    if (at instanceof AggregateError) at = at.errors[0];
    else at = NAMELESS.has(at.name) ? at.cause : undefined;
  }
}

const NAMELESS: ReadonlySet<string> = new Set(["Error", "TypeError"]);

/** The code of an error or of what lies behind it, where it is one that is told in words here. */
function knownCode(error: unknown): string | undefined {
  for (const one of errorsBehind(error)) {
    const code = "code" in one && typeof one.code === "string" ? one.code : "";
    if (wordsOfCode(code) !== undefined) return code;
  }
  return undefined;
}

/** What a code says, in words. Undefined for one that is not known here. */
export function wordsOfCode(code: string): string | undefined {
  if (code.startsWith("HPE_")) return "what answers there speaks no HTTP";
  return Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
}

/**
 * Why something failed, in words that may stand behind "can't be read (": the operating system's, the network's and
 * those of TLS in ours, every other error in its own.
 */
export function reasonWords(error: unknown): string {
  const code = knownCode(error);
  const words = code === undefined ? undefined : wordsOfCode(code);
  if (words !== undefined) return words;
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "") return error.message;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
