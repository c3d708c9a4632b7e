import { z } from "zod";

import { secretNameSchema } from "./secrets.ts";

/** The name of a secret that is an address. */
export const secretAddressSchema = z.strictObject({ secret: secretNameSchema });

/** A receiver of signed requests, as definitions name it. */
export const webhookSchema = z.strictObject({
  /** Where it is sent, or the name of a secret that is the address. */
  url: z.union([
    z.url({ protocol: /^https?$/, error: "must be an address that begins with https://" }).max(2_000),
    secretAddressSchema,
  ]),
  /** The name of the secret that signs. */
  secret: secretNameSchema,
});
