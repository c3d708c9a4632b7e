import { Option } from "commander";

import type { CliCommand } from "./cli-command.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import { jsonOption } from "./options.ts";

const HELP = `
Workers and servers then need no right to change tables, and are started with OUTDIAL_MIGRATE=never; this command is run
before the first of a new version, with the DATABASE_URL of the user who owns the tables. It may be run again, and by
several at once. What processes of the version before would not bear is refused; --offline makes it once no worker and
no server works on the ledger any more.

--check changes nothing: 0 where the schema has all that this version needs, otherwise 1.`;

export function registerMigrate(program: CliCommand): void {
  program
    .command("migrate")
    .here()
    .description("Brings the schema of a ledger on PostgreSQL up to date, apart from workers and servers.")
    .addOption(new Option("--check", "only say what is lacking"))
    .addOption(
      new Option(
        "--offline",
        "make what running processes would not bear; refused while there are any",
      ).conflicts("check"),
    )
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, { check, offline }: { check?: true; offline?: true }) => {
      if (config.databaseUrl === undefined) {
        throw new CliError(
          "DATABASE_URL is not set: the embedded ledger brings its schema up to date at each start, and needs no `outdial migrate`",
          EXIT.badInput,
        );
      }
      const { migratePostgres } = await import("../ledger/ground/postgres-migration.ts");
      const { unopenedError } = await import("../ledger/ground/postgres.ts");
      const isOnlyLook = check === true;
      const { made, status, unsafe } = await migratePostgres(config.databaseUrl, {
        isOffline: offline === true,
        isOnlyLook,
      }).catch((error: unknown) => {
        throw unopenedError(error);
      });
      const { applied, known, unknown, pending } = status;
      voice.json({ made, applied, known, unknown, pending, unsafe });
      voice.present([
        ...made.map((name) => `made ${name}`),
        ...pending.map((name) => `lacking: ${name}`),
        ...unsafe.map(
          ({ migration, statement, why }) =>
            `not beside running processes: ${migration}: ${statement} (${why})`,
        ),
        pending.length === 0
          ? "the schema has all that this version needs"
          : `the schema has ${applied} of ${known} migrations: run \`outdial migrate${unsafe.length > 0 ? " --offline" : ""}\``,
        ...(unknown > 0
          ? [`${unknown} migrations are newer than this version, which may go on with them`]
          : []),
      ]);
      return pending.length === 0 ? EXIT.ok : EXIT.failed;
    });
}
