import { z } from "zod";

import { number, setting, type ValuesOf } from "./setting.ts";

/** Its value holds a password, and is in no message. */
const smtpUrl = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== "",
    "must be an address that begins with smtps:// or smtp://",
  )
  .refine(
    (text) => !URL.canParse(text) || /^(?:|\?starttls=never)$/.test(new URL(text).search),
    "may have ?starttls=never behind it, and nothing else",
  )
  .refine(
    (text) => !URL.canParse(text) || new URL(text).username !== "" || new URL(text).password === "",
    "has a password and no user: write both, as in smtps://user:password@mail.example.com",
  )
  .refine(
    (text) =>
      !URL.canParse(text) ||
      [new URL(text).username, new URL(text).password].every((part) => isDecodable(part)),
    "has a % in its user or password that is none of an escape: write it as %25",
  );

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const NOTICE_SETTINGS = {
  OUTDIAL_SMTP_URL: setting({
    schema: smtpUrl.optional(),
    meaning:
      "The mail server by which attention routes send mails, with user and password where it wants them: smtps://, or smtp:// with STARTTLS, which it has to offer unless ?starttls=never stands behind it.",
    example: "smtps://outdial:password@mail.example.com:465",
    secret: true,
  }),
  OUTDIAL_SMTP_FROM: setting({
    schema: z.email({ error: "must be an address such as outdial@example.com" }).optional(),
    meaning: "Who sends the mails of attention routes that do not say it themselves.",
    example: "outdial@example.com",
  }),
  OUTDIAL_LOW_CREDIT_USD: setting({
    schema: number.min(0, "must be 0 or more").max(1_000_000, "must be 1000000 or less").optional(),
    meaning:
      "People are told (`credit_low`) when the platform's account has less left, in US dollars: looked at once a minute while anybody is to be called.",
    example: "50",
    default: "nobody is told before there is none",
  }),
} as const;

/** Where mails are handed in. Never printed. */
export interface SmtpSettings {
  readonly url: string | undefined;
  readonly from: string | undefined;
}

export function readSmtpSettings(values: ValuesOf<typeof NOTICE_SETTINGS>): SmtpSettings {
  return { url: values.OUTDIAL_SMTP_URL, from: values.OUTDIAL_SMTP_FROM };
}
