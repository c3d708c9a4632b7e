import { describe, expect, it } from "vitest";

import { UnusableSecretError, webhookKey } from "../../../src/domain/ground/secrets.ts";

const keyOf = (secret: string) => Buffer.from(webhookKey("crm", secret)).toString("latin1");

describe("the key of a signature", () => {
  it.each([
    ["whsec_aGVsbG8=", "hello"],
    ["whsec_aGVsbG8", "hello"],
    ["whsec_aGVsbG9z", "hellos"],
    // Text, as it is, though parts of it look like the beginning of one.
    ["hello", "hello"],
    ["hello whsec_", "hello whsec_"],
    ["my whsk_abcd", "my whsk_abcd"],
    ["whxk_abcd", "whxk_abcd"],
    ["aGVsbG8=", "aGVsbG8="],
  ])("that is given as %s is %s", (secret, key) => {
    expect(keyOf(secret)).toBe(key);
  });

  it.each(["whsec_", "whsec_aGVsbG8 =", "whsec_aGVsb", "whsec_aGVs*G8=", "whsec_\n"])(
    "is not %j, of which nothing is shown",
    (secret) => {
      expect(() => webhookKey("crm", secret)).toThrow(
        new UnusableSecretError(
          "crm",
          'secret "crm" begins with whsec_ and what follows is not base64: copy it again, whole',
        ),
      );
    },
  );

  it.each(["whsk_S3CRET", "whpk_S3CRET"])(
    "is not half of a pair (%s), of which its kind is shown",
    (secret) => {
      const kind = secret.slice(0, 5);
      expect(() => webhookKey("crm", secret)).toThrow(
        `secret "crm" is half of a key pair (${kind}): use a symmetric one, which begins with whsec_`,
      );
      expect(() => webhookKey("crm", secret)).toThrow(UnusableSecretError);
    },
  );
});
