import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { acceptDeliveries, type NewDelivery } from "../../src/ledger/triggers/deliveries.ts";
import { given } from "./ledgers.ts";

/** Takes one delivery in, as a trigger's door does. Returns its id. */
export async function accept(ledger: Ledger, delivery: NewDelivery): Promise<string> {
  const [accepted] = await ledger.transaction((tx) => acceptDeliveries(tx, [delivery], 5_000));
  return given(accepted).deliveryId;
}
