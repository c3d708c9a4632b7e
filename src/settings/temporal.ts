import { z } from "zod";

import { setting, type SettingDoc } from "./setting.ts";

/*
 * Where Temporal is and how it is spoken to, by the names that Temporal's own tools and SDKs have for it, and read by
 * their own reader (@temporalio/envconfig). One thing is different: a configuration file is read where it is named or
 * a profile is, not because it lies in its usual place. Whoever has the Temporal CLI point at a cluster has not told a
 * demonstration to run there.
 */

const path = z.string().min(1).optional();
const text = z.string().min(1).optional();
const pem = (meaning: string, example: string) => setting({ schema: text, meaning, example });

/** host:port; a host with colons in brackets. */
export const ADDRESS = /^(?:\[[\da-fA-F:.]+\]|[^\s/:@[\]]+):\d{1,5}$/;

const onOff = z.enum(["true", "false", "1", "0"], { error: "must be true or false" }).optional();

/** What their reader gets to see. */
export const READ_BY_TEMPORAL = {
  TEMPORAL_ADDRESS: setting({
    schema: z.string().regex(ADDRESS, "must be host:port").optional(),
    meaning: "A Temporal server that is there already. Absent: one is provided on this machine.",
    example: "temporal.internal:7233",
  }),
  TEMPORAL_NAMESPACE: setting({
    schema: text,
    meaning: "Namespace on the Temporal server.",
    example: "outdial.a1b2c",
    default: "default",
  }),
  TEMPORAL_API_KEY: setting({
    schema: text,
    meaning: "Key of the Temporal server (Temporal Cloud); the connection then uses TLS.",
    example: "the key as Temporal Cloud showed it",
    secret: true,
  }),
  TEMPORAL_TLS: setting({
    schema: onOff,
    meaning:
      "Whether the Temporal server is spoken to by TLS. Any of the following settings, and a key, mean that it is; `false` goes before them.",
    example: "true",
    default: "false",
  }),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: setting({
    schema: path,
    meaning: "File with the certificates (PEM) of the authority that vouches for the Temporal server.",
    example: "/etc/outdial/temporal-ca.pem",
    default: "the authorities that are known publicly",
  }),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: pem(
    "The same certificates themselves.",
    "-----BEGIN CERTIFICATE-----...",
  ),
  TEMPORAL_TLS_SERVER_NAME: setting({
    schema: text,
    meaning: "Name that the Temporal server's certificate has to be for.",
    example: "temporal.internal",
    default: "the host of its address",
  }),
  TEMPORAL_TLS_CLIENT_CERT_PATH: setting({
    schema: path,
    meaning: "File with the certificate (PEM) that shows the Temporal server who we are, and those above it.",
    example: "/etc/outdial/temporal.pem",
  }),
  TEMPORAL_TLS_CLIENT_CERT_DATA: pem("The same certificate itself.", "-----BEGIN CERTIFICATE-----..."),
  TEMPORAL_TLS_CLIENT_KEY_PATH: setting({
    schema: path,
    meaning: "File with the key (PEM, without a passphrase) of that certificate.",
    example: "/run/secrets/temporal.key",
  }),
  TEMPORAL_TLS_CLIENT_KEY_DATA: setting({
    schema: text,
    meaning: "The same key itself.",
    example: "the key in PEM",
    secret: true,
  }),
  TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: setting({
    schema: onOff.refine((value) => value !== "true" && value !== "1", {
      message: "must be false: the server's certificate is always verified",
    }),
    meaning: "Refused, but for `false`: name the authority and the server instead.",
    example: "false",
    default: "false",
  }),
  TEMPORAL_CONFIG_FILE: setting({
    schema: path,
    meaning:
      "Configuration file (TOML) of Temporal's tools. What it says stands behind the settings above. It is only read where it is named, or a profile is.",
    example: "/etc/outdial/temporal.toml",
    default: "with TEMPORAL_PROFILE: temporalio/temporal.toml in the usual folder of configurations",
  }),
  TEMPORAL_PROFILE: setting({
    schema: text,
    meaning: "Profile in that file.",
    example: "production",
    default: "default",
  }),
} as const;

/** What a request to the Temporal server carries besides; as Temporal's own tools name it. */
export const GRPC_META_PREFIX = "TEMPORAL_GRPC_META_";

export const TEMPORAL_SETTINGS = {
  ...READ_BY_TEMPORAL,
  TEMPORAL_CLI_PATH: setting({
    schema: z.string().min(1).optional(),
    meaning: "A `temporal` executable to start the provided server with.",
    example: "/usr/local/bin/temporal",
    default: "found on PATH, else fetched once",
  }),
  OUTDIAL_WORKER_VERSIONING: setting({
    schema: onOff.transform((value) => value === "true" || value === "1"),
    meaning:
      "Whether Temporal tells builds of the workers apart: batches end on the build on which they began, and a build is given nothing before `outdial deploy current`. The server has to be 1.29 or later.",
    example: "true",
    default: "false",
  }),
} as const;

export const REQUEST_HEADERS: SettingDoc = {
  name: `${GRPC_META_PREFIX}<NAME>`,
  meaning: "A header of every request to the Temporal server: X_TEAM is x-team.",
  example: "renewals",
};
