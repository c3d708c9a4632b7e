import type { NoticeSent } from "../domain/notices/sent.ts";

/* Mails, by the SMTP server that the settings name. Its library is loaded with the first mail. */

/** Where mails are handed in, as the settings say. */
export interface SmtpServer {
  /** `smtps://`, or `smtp://` with STARTTLS; user and password within. Undefined: there is none. */
  readonly url: string | undefined;
  /** Who sends, where a route does not say. */
  readonly from: string | undefined;
}

/** Name, connection, TLS and greeting. */
const CONNECT_MS = 10_000;

/** Without a word from the server. */
const SILENCE_MS = 20_000;

/** The whole of it, whatever the server does; below what a try may take (notices.ts). */
const WHOLE_MS = 45_000;

const MOST_SAID = 300;

/** What is missing before a mail can be sent, for people. */
export function mailProblems({ url, from }: SmtpServer, isSenderSaid: boolean): string[] {
  return [
    ...(url === undefined ? ["to.email: there is no mail server: set OUTDIAL_SMTP_URL"] : []),
    ...(from === undefined && !isSenderSaid
      ? ["to.email: nobody is named as sender: set OUTDIAL_SMTP_FROM, or to.email.from of the route"]
      : []),
  ];
}

/** Sends one mail to several people, once. The same id in every try is the same `Message-ID`. */
export async function sendMail(
  { url, from: usual }: SmtpServer,
  { to, from = usual }: { to: readonly string[]; from?: string | undefined },
  { id, subject, text }: { id: string; subject: string; text: string },
): Promise<NoticeSent> {
  const [problem] = mailProblems({ url, from }, false);
  if (url === undefined || from === undefined) return failed(problem ?? "there is no mail server");
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(optionsOf(new URL(url)));
  let late: NodeJS.Timeout | undefined;
  try {
    const bound = new Promise<never>((_resolve, reject) => {
      late = setTimeout(() => reject(new Error(`no end within ${WHOLE_MS / 1_000} seconds`)), WHOLE_MS);
    });
    const sending = transport.sendMail({
      from,
      to: [...to],
      subject,
      text,
      messageId: `<${id}@outdial>`,
      headers: { "auto-submitted": "auto-generated", "x-outdial-notice": id },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const { response, rejected } = await Promise.race([sending, bound]);
    return {
      ok: true,
      answer: said(response),
      trouble: rejected.length === 0 ? undefined : `the mail server refused ${rejected.join(", ")}`,
    };
  } catch (error) {
    return failureOf(new URL(url).host, error);
  } finally {
    clearTimeout(late);
    transport.close();
  }
}

/** STARTTLS may be refused by `?starttls=never` alone: whoever sits between must not be able to take it out. */
function optionsOf(url: URL) {
  const isTls = url.protocol === "smtps:";
  const user = decodeURIComponent(url.username);
  const isPlain = url.searchParams.get("starttls") === "never";
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isTls ? 465 : 587) : Number(url.port),
    secure: isTls,
    requireTLS: !isTls && !isPlain,
    ignoreTLS: isPlain,
    ...(user !== "" && { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function failed(error: string): NoticeSent {
  return { ok: false, error, isFinal: true, atLeastMs: undefined };
}

/** What goes on until somebody mends it: a login, a certificate, a server without TLS, addresses that are refused. */
const FINAL: ReadonlySet<string> = new Set(["EAUTH", "ENOAUTH", "ETLS", "ECONFIG", "EOAUTH2"]);

function failureOf(host: string, error: unknown): NoticeSent {
  const message = error instanceof Error ? error.message : String(error);
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  const status =
    typeof error === "object" && error !== null && "responseCode" in error ? error.responseCode : undefined;
  const isRefused = typeof status === "number" && status >= 500;
  return {
    ok: false,
    error: `the mail server ${host} does not take it: ${said(message)}`,
    isFinal: isRefused || (typeof code === "string" && FINAL.has(code)),
    atLeastMs: undefined,
  };
}

/** What the other side says, in one line. */
function said(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, MOST_SAID);
}
