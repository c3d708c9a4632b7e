import { InvalidArgumentError, Option } from "commander";

import { ROLES } from "../../domain/ground/access.ts";
import { parseDurationMs } from "../../domain/time/duration.ts";
import type { TokenWire } from "../../http/wire/access.ts";
import type { CliCommand } from "../cli-command.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { instant, jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";

export function registerTokenCommands(token: CliCommand): void {
  registerCreate(token);
  registerList(token);
  registerRevoke(token);
}

interface CreateOptions {
  role: string;
  brand: readonly string[];
  expires: string;
  fields?: readonly string[];
}

function registerCreate(token: CliCommand): void {
  token
    .command("create")
    .description("Makes a token, and shows it this once: only its SHA-256 is kept.")
    .argument("<name>", "what the audit calls it, such as crm or alice")
    .addOption(new Option("--role <role>", "what it may").choices(ROLES).makeOptionMandatory())
    .addOption(
      new Option("--brand <brand>", "only for this brand; again for each; without it, for every brand")
        .argParser((text: string, before: readonly string[]) => [...before, text])
        .default([], "every brand"),
    )
    .addOption(
      new Option("--expires <when>", "after how long, such as 90d, or when, or never")
        .argParser(expiry)
        .makeOptionMandatory(),
    )
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial token create crm --role operator --brand acme --expires 90d")
    .does(async ({ config, voice }, name: string, options: CreateOptions) => {
      const { role, brand, expires, fields } = options;
      if (fields?.includes("secret") === false)
        throw new CliError(
          `--fields ${fields.join(",")} leaves out secret, which is shown this once and would be lost: add it`,
          EXIT.badInput,
        );
      const { token: made, secret } = await withRunningSystem(config, (api) =>
        api.access.create({
          name,
          role,
          ...(brand.length > 0 && { brands: brand }),
          ...(expires !== NEVER && { expires_at: expires }),
        }),
      );
      voice.present([
        `token ${made.name}: ${made.role} for ${brandsText(made)}, ${made.expires_at === null ? "does not expire" : `until ${made.expires_at}`}. It is shown this once; commands take it as OUTDIAL_API_TOKEN:`,
        secret,
      ]);
      voice.json({ token: made, secret });
    });
}

function registerList(token: CliCommand): void {
  token
    .command("list")
    .description("Lists the tokens, what they may, and when each was used last.")
    .option("--revoked", "those that were revoked, instead")
    .addOption(jsonOption())
    .does(async ({ config, voice }, { revoked }: { revoked?: true }) => {
      const { items } = await withRunningSystem(config, (api) => api.access.tokens({ revoked }));
      const rows = items.map((item) => [
        item.name,
        item.role,
        brandsText(item),
        expiryText(item),
        item.last_used_at ?? "never",
        item.revoked_at === null
          ? `made by ${item.created_by}`
          : `revoked by ${item.revoked_by ?? "nobody known"}: ${item.revoked_reason ?? ""}`,
      ]);
      const header = ["name", "role", "brands", "expires", "last used", ""];
      voice.present(listing("no tokens", header, rows, voice.colours));
      voice.json({ items });
    });
}

function registerRevoke(token: CliCommand): void {
  token
    .command("revoke")
    .grave()
    .description("Revokes a token: whoever shows it is refused from then on.")
    .argument("<name>", "its name in the list")
    .requiredOption("--reason <text>", "why; it is kept for good")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string, { reason }: { reason: string }) => {
      const result = await withRunningSystem(config, (api) => api.access.revoke(name, reason));
      voice.tell([`token ${result.revoked.name} is revoked: nobody gets in by it any more`]);
      voice.json(result);
    });
}

function brandsText({ brands }: TokenWire): string {
  return brands === null ? "every brand" : brands.join(", ");
}

function expiryText({ expires_at: at, expired }: TokenWire): string {
  if (at === null) return "never";
  return expired ? `${at} (expired)` : at;
}

const NEVER = "never";

/** Above what a clock can tell. */
const LONGEST_MS = 100 * 366 * 86_400_000;

/** A token that nobody meant to last is one that nobody looks after: how long it lasts has to be said. */
function expiry(text: string): string {
  if (text === NEVER) return NEVER;
  const ms = parseDurationMs(text);
  if (ms === undefined) return instant(text);
  if (ms > 0 && ms <= LONGEST_MS) return new Date(Date.now() + ms).toISOString();
  throw new InvalidArgumentError("It must be a duration such as 90d, a time with its zone, or never.");
}
