import type { SecretType, WorkflowJson } from "../schemas/workflows.ts";

export interface CredentialField {
  readonly name: string;
  readonly required: boolean;
  readonly type: SecretType;
  readonly description: string;
  readonly default: string | null;
}

/** What a workflow needs to sign in somewhere (contract 2.6). */
export interface Credential {
  readonly type: string;
  readonly fields: readonly CredentialField[];
  /** `catalogue` for types that are known, `workflow` for others: those take one value. */
  readonly source: "catalogue" | "workflow";
}

function required(name: string, type: SecretType, description: string): CredentialField {
  return { name, required: true, type, description, default: null };
}

const KNOWN: Readonly<Record<string, readonly CredentialField[]>> = {
  slackApi: [required("accessToken", "string", "Bot token of the Slack application")],
  hubspotAppToken: [required("appToken", "string", "Token of the HubSpot private application")],
  twilioApi: [required("accountSid", "string", "Account SID"), required("authToken", "string", "Auth token")],
  smtp: [
    required("host", "string", "Host name of the mail server"),
    required("user", "string", "User name"),
    required("password", "string", "Password"),
    { name: "port", required: false, type: "string", description: "Port of the mail server", default: "465" },
  ],
  googleSheetsOAuth2Api: [required("token", "oauth", "OAuth token of the Google account, as JSON")],
  httpHeaderAuth: [
    required("name", "string", "Name of the header"),
    required("value", "string", "Value of the header"),
  ],
};

/** The credentials that the nodes of a workflow name, each type once, in the order of the nodes. */
export function credentialsIn(json: WorkflowJson): Credential[] {
  const types = new Set<string>();
  for (const node of nodesOf(json)) {
    const credentials = node["credentials"];
    for (const type of isRecord(credentials) ? Object.keys(credentials) : []) {
      types.add(type);
    }
  }
  return [...types].map(credentialOf);
}

/** What a type of credential asks for; one value of a type that the catalogue does not have. */
export function credentialOf(type: string): Credential {
  const known = Object.hasOwn(KNOWN, type) ? KNOWN[type] : undefined;
  return known === undefined
    ? { type, fields: [required("value", "string", `Credential ${type}`)], source: "workflow" }
    : { type, fields: known, source: "catalogue" };
}

/** A field's name among the secrets of a workflow: `slackApi.accessToken`. */
export function secretNameOf(credential: Credential, field: CredentialField): string {
  return `${credential.type}.${field.name}`;
}

/** The required secrets that are not there. */
export function missingSecrets(json: WorkflowJson, present: ReadonlySet<string>): string[] {
  return credentialsIn(json).flatMap((credential) =>
    credential.fields
      .filter((field) => field.required)
      .map((field) => secretNameOf(credential, field))
      .filter((name) => !present.has(name)),
  );
}

/** What is wrong with a secret's value for its type; null if nothing is. */
export function faultInSecret(type: SecretType, value: string): string | null {
  switch (type) {
    case "string":
      return value.trim() === "" ? "must not be blank" : null;
    case "pem":
      return /^-----BEGIN [A-Z ]+-----\r?\n[\s\S]+\r?\n-----END [A-Z ]+-----\s*$/.test(value)
        ? null
        : "must be PEM";
    case "json":
      return isJsonObject(value) ? null : "must be a JSON object";
    case "oauth":
      return isJsonObject(value) && /"(access|refresh)_token"/.test(value)
        ? null
        : "must be a JSON object with an access_token or refresh_token";
  }
}

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    // Not JSON at all: what was asked.
    return false;
  }
}

/** The nodes of an n8n workflow; none where the JSON is something else. */
export function nodesOf(json: WorkflowJson): Record<string, unknown>[] {
  const nodes = json["nodes"];
  return Array.isArray(nodes) ? nodes.filter((node) => isRecord(node)) : [];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
