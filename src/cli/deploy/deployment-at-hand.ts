import type { Client } from "@temporalio/client";

import type { Config } from "../../config.ts";
import type { WorkerVersion } from "../../temporal/deployment.ts";
import type { CliPorts } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";

interface At {
  client: Client;
  /** The deployment, and what this program would be in it. */
  own: WorkerVersion;
}

/** Of the installation of the settings' ledger, on the Temporal server that they name. */
export async function withDeployment<T>(
  ports: Pick<CliPorts, "openLedger">,
  config: Config,
  work: (at: At) => Promise<T>,
): Promise<T> {
  const { address, access, namespace } = config.temporal;
  if (address === undefined || config.databaseUrl === undefined) {
    throw new CliError(
      `${address === undefined ? "TEMPORAL_ADDRESS" : "DATABASE_URL"} is not set: builds beside each other need a Temporal server and a PostgreSQL that both of them reach`,
      EXIT.badInput,
    );
  }
  const { createLog } = await import("../../log.ts");
  const { VERSION } = await import("../../http/version.ts");
  const { clientOf, connectClients } = await import("../../temporal/connection.ts");
  const { ownVersion } = await import("../../temporal/deployment.ts");
  const { targetOf } = await import("../../temporal/server/index.ts");
  const { readInstallation } = await import("../../ledger/ground/installation.ts");
  const { TemporalUnavailableError } = await import("../../temporal/server/errors.ts");
  const { temporalWords } = await import("../../temporal/words.ts");
  // Whoever asks about builds changes no schema.
  const asked: Config = { ...config, migrate: "never" };
  const { ledger } = await ports.openLedger(asked, createLog({ level: "silent" }));
  try {
    const { installationId } = await readInstallation(ledger.db);
    const { connection, close } = await connectClients(targetOf(address, access)).catch((error: unknown) => {
      throw new TemporalUnavailableError(
        `no Temporal server answers at ${address} (${temporalWords(error)}): see that it runs and can be reached, and correct the settings TEMPORAL_...`,
        [],
        { cause: error },
      );
    });
    try {
      return await work({
        client: clientOf(connection, namespace),
        own: ownVersion(VERSION, installationId),
      });
    } finally {
      await close();
    }
  } finally {
    await ledger.close();
  }
}
