import { z } from "zod";

import { readMountPath, SANDBOX_DIALECTS } from "../sandbox-mount.ts";
import { setting, type ValuesOf } from "./setting.ts";

/** A path that a sandbox is mounted under; slashes at its end are forgiven, and `/` is none. */
const mountPath = z.string().transform((text, context) => {
  const path = readMountPath(text);
  if (path !== undefined) return path;
  context.issues.push({ code: "custom", message: "must be a path such as /api", input: text });
  return z.NEVER;
});

export const SANDBOX_SETTINGS = {
  OUTDIAL_SANDBOX_DIALECT: setting({
    schema: z.enum(SANDBOX_DIALECTS, { error: "must be contract or published" }).default("contract"),
    meaning:
      "How sandboxes that Outdial starts show the platform: by its contract, or as its published low-code clients know it.",
    example: "published",
    default: "contract",
  }),
  OUTDIAL_SANDBOX_BASE_PATH: setting({
    schema: mountPath.optional(),
    meaning: "Path under which sandboxes that Outdial starts are mounted.",
    example: "/api",
    default: "none; /api in the dialect published",
  }),
  LIVEKIT_API_KEY: setting({
    schema: z.string().optional(),
    meaning:
      "Key that a LiveKit server trusts, for a sandbox that has its rooms there (`--livekit-url`) without a file of it; LiveKit's own name for it.",
    example: "devkey",
  }),
  LIVEKIT_API_SECRET: setting({
    schema: z.string().optional(),
    meaning: "Secret of that key.",
    example: "a secret of at least 32 characters",
    secret: true,
  }),
} as const;

/** Of sandboxes that commands start. */
export interface SandboxSettings {
  readonly dialect: (typeof SANDBOX_DIALECTS)[number];
  readonly basePath: string | undefined;
  /** What a LiveKit server trusts; undefined: it is not said, or half of it. */
  readonly livekit: { readonly apiKey: string; readonly apiSecret: string } | undefined;
}

export function readSandboxSettings(values: ValuesOf<typeof SANDBOX_SETTINGS>): SandboxSettings {
  const { LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = values;
  return {
    dialect: values.OUTDIAL_SANDBOX_DIALECT,
    basePath: values.OUTDIAL_SANDBOX_BASE_PATH,
    livekit: apiKey !== undefined && apiSecret !== undefined ? { apiKey, apiSecret } : undefined,
  };
}
