import path from "node:path";

import type { CliCommand } from "../cli-command.ts";
import { documentOf, keyOf, nameOf } from "../../domain/declared/documents.ts";
import type { DeclaredAppliedWire } from "../../http/wire/declared.ts";
import type { Api } from "../api/client.ts";
import { ApiProblemError } from "../api/errors.ts";
import type { Voice } from "../context.ts";
import { CliError, explain } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { openList, takenText } from "../suppressions/import.ts";
import { countText } from "../view/words.ts";
import { compare, differenceText, neededText, schedulesIn } from "./differences.ts";
import { readFolder, type FolderDocument } from "./folder.ts";
import { folderOption, type FolderOptions } from "./options.ts";

const HELP = `
Everything is read and compared first: where a document is wrong or refused, nothing is applied. Then one document
after the other, automations first, then suppression lists, sequences, campaigns, triggers and schedules. Each is
applied whole or not at all; the first failure ends it, and the same command again goes on. Applying what is applied
changes nothing.

Campaigns are written down and never started. Nothing is removed: see \`outdial prune\`.

Exits with 0 when all is applied, 1 where something was refused or failed, 2 for bad documents.

Example:
  outdial apply -f declared/`;

export function registerApply(program: CliCommand): void {
  program
    .command("apply")
    .grave()
    .addOption(folderOption())
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, options: FolderOptions) => {
      const documents = readFolder(options.file);
      const outcome = await withRunningSystem(config, async (api) => {
        await refuseRefused(api, voice, documents);
        return applyAll(api, voice, documents);
      });
      const { applied, failed, notDone } = outcome;
      const count = (change: string) => applied.filter((one) => one.change === change).length;
      voice.tell([
        `${count("created")} created, ${count("changed")} changed, ${count("none")} the same`,
        ...(failed === undefined
          ? []
          : [
              `not applied: ${notDone.join(", ")}`,
              "mend what is named above, then run the same command: it goes on with these",
            ]),
      ]);
      voice.json({ items: applied, failed: failed ?? null, not_applied: notDone });
      return failed === undefined ? EXIT.ok : EXIT.failed;
    });
}

/** @throws CliError where a document can't be applied as things are, before any is. */
async function refuseRefused(api: Api, voice: Voice, documents: readonly FolderDocument[]): Promise<void> {
  const refused = (await compare(api, documents)).filter(({ change }) => change === "refused");
  if (refused.length === 0) return;
  voice.tell(refused.flatMap((item) => differenceText(item, voice.colours)));
  throw new CliError(
    `${countText(refused.length, "document")} refused, and nothing was applied: correct what is named above, then run the same command`,
    EXIT.failed,
    { code: "refused", facts: { refused } },
  );
}

interface Outcome {
  applied: DeclaredAppliedWire[];
  failed?: { document: string; where: string; problem: string };
  /** From the failed one on, by name. */
  notDone: string[];
}

const SIGN = { created: "+", changed: "~", none: "=" } as const;

async function applyAll(api: Api, voice: Voice, documents: readonly FolderDocument[]): Promise<Outcome> {
  const applied: DeclaredAppliedWire[] = [];
  const schedules = schedulesIn(documents);
  for (const [index, document] of documents.entries()) {
    const name = nameOf(keyOf(document.declared));
    try {
      if (document.listFile !== undefined) await sendList(api, voice, document, document.listFile);
      const { declared } = document;
      const beside = declared.kind === "campaign" ? schedules : [];
      const one = await api.declared.apply(documentOf(declared), beside);
      applied.push(one);
      if (one.change !== "none") voice.tell([`${SIGN[one.change]} ${name} ${one.change}`]);
      else if (one.warnings.length > 0) voice.tell([`${SIGN.none} ${name}`]);
      voice.tell(neededText(one.warnings));
    } catch (error) {
      const { message } = explain(error);
      voice.tell([voice.colours.red(`! ${name} (${document.where}) failed: ${message}`)]);
      const rest = documents.slice(index).map(({ declared }) => nameOf(keyOf(declared)));
      return { applied, failed: { document: name, where: document.where, problem: message }, notDone: rest };
    }
  }
  return { applied, notDone: [] };
}

/** Every number of the list's file, again where it was cut off: what is suppressed already stays so. */
async function sendList(api: Api, voice: Voice, document: FolderDocument, file: string): Promise<void> {
  const { declared } = document;
  if (declared.kind !== "suppression-list") return;
  const [judged] = await compare(api, [document]);
  if (judged?.change === "same") return;
  const { brand, reason, default_region: defaultRegion } = declared.definition;
  const list = await openList(file);
  const sourceName = path.basename(file);
  const taken = await api.suppressions
    .import({ ...list, sourceName, defaultRegion, brand, reason })
    .catch((error: unknown) => {
      // A declared list is only ever added to: with nobody on it there is nothing to add.
      if (isListOfNobody(error)) return undefined;
      throw error;
    });
  if (taken === undefined) {
    voice.tell([`    ${sourceName} has nobody on it yet`]);
    return;
  }
  voice.tell(takenText(taken).map((line) => `    ${line}`));
  if (taken.rows.rejected > 0)
    throw new CliError(
      `${countText(taken.rows.rejected, "row")} of ${file} suppressed nobody: mend them; all others are in force`,
    );
}

function isListOfNobody(error: unknown): boolean {
  return error instanceof ApiProblemError && error.body.list_code === "no_rows";
}
