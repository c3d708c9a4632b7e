import fs from "node:fs";

import type { CliCommand } from "../../cli-command.ts";
import type { ContactsValidation } from "../../../contacts/validate-contacts.ts";
import { DEFAULT_WINDOW_SPEC } from "../../../domain/policy/calling-window.ts";
import { policyOf, windowInSpec } from "../../../domain/campaigns/campaign-spec.ts";
import { windowOf } from "../../../domain/campaigns/window-spec.ts";
import { findList, readMap, readOptionsOf } from "../../contact-list.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { jsonOption, mapOption, regionOption } from "../../options.ts";
import type { Colours } from "../../view/colours.ts";
import { readSpecFile } from "./spec-file.ts";
import { neverDialedLines } from "../../view/never-dialed.ts";
import { byCount, countText, numberText } from "../../view/words.ts";

interface ValidateOptions {
  map: readonly string[];
  defaultRegion?: string;
  campaign?: string;
  json?: true;
}

export function registerContactsValidate(contacts: CliCommand): void {
  contacts
    .command("validate")
    .description("Says what an import of a list would say. Nothing is written, and nothing has to run.")
    .argument("<list>", "CSV or NDJSON file of contacts")
    .addOption(mapOption())
    .addOption(regionOption())
    .option("--campaign <campaign.yaml>", "the campaign that it is for: its window, zones and default region")
    .addOption(jsonOption())
    .addHelpText("after", "\nExits with 2 where the list can't be read to its end, or makes no contact.")
    .does(async ({ voice }, file: string, options: ValidateOptions) => {
      const list = await findList(file);
      const spec = options.campaign === undefined ? undefined : readSpecFile(options.campaign);
      const defaultRegion = options.defaultRegion ?? spec?.default_region;
      const reading = { map: readMap(options.map), defaultRegion };
      const { validateContacts } = await import("../../../contacts/validate-contacts.ts");
      const validation = await validateContacts(fs.createReadStream(list.path), {
        ...readOptionsOf(list, reading),
        campaign: {
          window: spec === undefined ? windowOf(DEFAULT_WINDOW_SPEC) : windowInSpec(spec),
          isStrict: spec?.zones === "strict",
          ...(spec && { consent: policyOf(spec, 1), transfers: policyOf(spec, 1).transfers }),
          nowMs: Date.now(),
        },
      });
      const under =
        spec === undefined
          ? "weekdays from 9 to 18, the window of a campaign that names none (--campaign names yours)"
          : `the window of campaign "${spec.name}"`;
      voice.tell(
        validationLines(validation, { name: list.name, colours: voice.colours, defaultRegion, under }),
      );
      voice.json({ ...validation, digest: list.digest });
      return exitCodeOf(validation);
    });
}

function exitCodeOf({ rows, stopped }: ContactsValidation): ExitCode {
  return stopped === null && rows.ok > 0 ? EXIT.ok : EXIT.badInput;
}

/** More of them say no more. */
const ZONES_SHOWN = 8;
const REGIONS_SHOWN = 12;

/** What was found in a list, in words. Pure. */
function validationLines(
  validation: ContactsValidation,
  told: { name: string; colours: Colours; defaultRegion: string | undefined; under: string },
): string[] {
  const { name, colours, defaultRegion } = told;
  const { layout, rows, rejectedByCode, regions, zoneSets, problems, stopped, warnings } = validation;
  const columns = layout.columns?.map((column) =>
    column.role === "variable" ? column.name : `${column.name} (${column.role.replaceAll("_", " ")})`,
  );
  const zones = zoneSets.slice(0, ZONES_SHOWN).map(({ zones, contacts }) => {
    const shown =
      zones.length === 0
        ? "no zone known"
        : zones.length > 3
          ? `${zones.slice(0, 2).join(", ")} and ${zones.length - 2} more`
          : zones.join(", ");
    return `  ${numberText(contacts).padStart(9)}  ${shown}`;
  });
  const hiddenZones = zoneSets.length - zones.length;
  return [
    `${colours.bold(name)}: ${countText(rows.read, "row")}; ${countText(rows.ok, "contact")}, ${numberText(rows.rejected)} rejected, ${numberText(rows.duplicate)} duplicate`,
    `${layout.format}, ${layout.encoding}${layout.delimiter === undefined ? "" : `, delimiter ${JSON.stringify(layout.delimiter)}`}`,
    ...(columns ? [`columns: ${columns.join(", ")}`] : []),
    ...(rows.ok > 0
      ? [
          `countries: ${byCount(regions)
            .slice(0, REGIONS_SHOWN)
            .map(([region, count]) => `${region} ${numberText(count)}`)
            .join(", ")}`,
        ]
      : []),
    ...(zones.length > 0 ? ["time zones that contacts may be in:", ...zones] : []),
    ...(hiddenZones > 0 ? [`             and ${numberText(hiddenZones)} more`] : []),
    ...(rows.ok > 0
      ? [
          `found from: ${byCount(validation.placedBy)
            .map(([by, count]) => `${by.replaceAll("_", " ")} ${numberText(count)}`)
            .join(", ")}`,
        ]
      : []),
    ...(rows.rejected > 0
      ? [
          `rejected: ${byCount(rejectedByCode)
            .map(([code, count]) => `${code} ${numberText(count)}`)
            .join(", ")}`,
          ...problems.map(({ line, reason }) => `  line ${line}: ${reason}`),
          ...(rows.rejected > problems.length
            ? [`  and ${numberText(rows.rejected - problems.length)} more`]
            : []),
        ]
      : []),
    ...(defaultRegion === undefined && (rejectedByCode.phone_no_country ?? 0) > 0
      ? [
          "numbers without a country: --default-region says whose they are, as a campaign's default_region does",
        ]
      : []),
    ...neverDialedLines(validation.neverDialed, told.under).map((line) => colours.yellow(line)),
    ...withoutConsentLines(validation).map((line) => colours.yellow(line)),
    ...warnings.map((warning) => colours.yellow(`warning: ${warning}`)),
    ...(stopped === null
      ? []
      : [
          colours.red(
            `the list can't be read to its end${stopped.line === null ? "" : ` (line ${stopped.line})`}: ${stopped.message}`,
          ),
        ]),
  ];
}

/** More groups say no more: of consents that ended each has a moment of its own. */
const CONSENTS_SHOWN = 3;

/** Whom the campaign would leave out for want of consent, as far as the list tells. */
function withoutConsentLines({ withoutConsent }: ContactsValidation): string[] {
  if (withoutConsent.length === 0) return [];
  const contacts = withoutConsent.reduce((sum, group) => sum + group.contacts, 0);
  const hidden = withoutConsent.length - CONSENTS_SHOWN;
  return [
    `${countText(contacts, "contact")} without the consent that the campaign asks for, by this list: unless it is recorded before they are looked at (\`outdial consent add\`, or the list's columns consent_basis and consent_at), they are excluded for good`,
    ...withoutConsent
      .slice(0, CONSENTS_SHOWN)
      .map((group) => `  ${numberText(group.contacts).padStart(9)}  ${group.why}`),
    ...(hidden > 0 ? [`             and ${numberText(hidden)} more reasons`] : []),
  ];
}
