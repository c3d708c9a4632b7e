import { Option } from "commander";

import { CALLER_KINDS } from "../../domain/ground/access.ts";
import type { SessionSeenWire } from "../../http/wire/sessions.ts";
import type { CliCommand } from "../cli-command.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { countText, momentText } from "../view/words.ts";

/** Who is signed in in browsers. */
export function registerSessions(sessions: CliCommand): void {
  registerList(sessions);
  registerEnd(sessions);
}

const kindOption = () => new Option("--kind <kind>", "by what they signed in").choices(CALLER_KINDS);

interface ListOptions {
  name?: string;
  kind?: string;
  limit: number;
  after?: string;
}

function registerList(sessions: CliCommand): void {
  sessions
    .command("list")
    .description("Lists who is signed in, the newest first, each session with its id.")
    .option("--name <name>", "only of whoever is called so")
    .addOption(kindOption())
    .option("--limit <n>", "so many at most", wholeNumber(1, 500), 50)
    .option("--after <cursor>", "the page behind this place")
    .addOption(jsonOption())
    .does(async ({ config, voice }, { name, kind, limit, after }: ListOptions) => {
      const found = await withRunningSystem(config, (api) =>
        api.access.sessions({ name, kind, limit, after }),
      );
      const nowMs = Date.now();
      const rows = found.items.map((item) => [
        item.id,
        item.own ? `${item.actor} (this one)` : item.actor,
        item.role,
        item.brands === null ? "every brand" : item.brands.join(", "),
        momentText(item.last_used_at, nowMs),
        momentText(item.idle_expires_at, nowMs),
      ]);
      const header = ["session", "who", "role", "brands", "last used", "ends"];
      voice.present(listing("nobody is signed in", header, rows, voice.colours));
      if (found.next_after !== null) voice.tell([`more: --after ${found.next_after}`]);
      voice.json(found);
    });
}

interface EndOptions {
  name?: string;
  kind?: string;
  reason: string;
}

function registerEnd(sessions: CliCommand): void {
  sessions
    .command("end")
    .grave()
    .description("Ends a session, or all of somebody, at once: their browsers are signed out.")
    .argument("[id]", "of the session; or name whose sessions they are")
    .option("--name <name>", "all of whoever is called so")
    .addOption(kindOption().default("person"))
    .requiredOption("--reason <text>", "why; it is kept for good")
    .addOption(jsonOption())
    .addHelpText("after", '\nExample:\n  outdial sessions end --name ann@example.com --reason "has left"')
    .does(async ({ config, voice }, id: string | undefined, options: EndOptions) => {
      const { name, kind = "person", reason } = options;
      if ((id === undefined) === (name === undefined))
        throw new CliError("give the id of a session, or --name for all of somebody", EXIT.badInput);
      const ended = await withRunningSystem(config, async (api): Promise<SessionSeenWire[]> => {
        if (id !== undefined) return [(await api.access.endSession(id, reason)).ended];
        return (await api.access.endSessionsOf({ kind, name: name ?? "", reason })).ended;
      });
      voice.tell([
        ended.length === 0
          ? `nobody is signed in as ${kind} ${name ?? ""}`
          : `${countText(ended.length, "session")} of ${ended[0]?.actor ?? ""} ended`,
      ]);
      voice.json({ ended });
    });
}
