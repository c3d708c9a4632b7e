import { mailOf, slackBody, webhookBody } from "../domain/notices/message.ts";
import type { Notice } from "../domain/notices/notice.ts";
import type { RouteDefinition } from "../domain/notices/route.ts";
import type { NoticeSent } from "../domain/notices/sent.ts";
import { UnknownSecretError, UnusableSecretError } from "../domain/ground/secrets.ts";
import { sendMail, type SmtpServer } from "./mail.ts";
import { failed, post, SIGNED_BUSY_MS, type SigningPorts } from "./signed.ts";

/* Sending a notice once, by the way of its route. What is wrong with the receiver or a secret is an answer, too. */

/** Longer than any way takes: by then whoever comes takes the message over. */
export const NOTICE_BUSY_MS = SIGNED_BUSY_MS;

export interface NoticePorts extends SigningPorts {
  smtp: SmtpServer;
}

export async function sendNotice(
  ports: NoticePorts,
  { to }: Pick<RouteDefinition, "to">,
  notice: Notice,
): Promise<NoticeSent> {
  try {
    if (to.webhook) return await post(ports, to.webhook, { id: notice.id, body: webhookBody(notice) });
    if (to.slack) return await post(ports, to.slack, { id: notice.id, body: slackBody(notice) });
    if (to.email) return await sendMail(ports.smtp, to.email, { id: notice.id, ...mailOf(notice) });
    return failed("the route names nobody: put it anew");
  } catch (error) {
    if (error instanceof UnknownSecretError || error instanceof UnusableSecretError)
      return failed(error.message);
    throw error;
  }
}
