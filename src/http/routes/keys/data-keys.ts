import { DataKeys } from "../../../ledger/ground/data-keys.ts";
import { COUNTED_AT_MOST, countSealed } from "../../../ledger/ground/sealed-rows.ts";
import type { HttpDeps } from "../../deps.ts";
import { dataKeysSchema, type DataKeysWire } from "../../wire/data-keys.ts";
import type { Routes } from "../../route-scope.ts";

const ABOUT =
  "The keys of sensitive values by their ids, never what they are. An older one that seals nothing any more can be taken out of the settings; one that is missing and seals something keeps its campaigns from dialing.";

/** Keys of sensitive values. */
export function dataKeyRoutes({ ledger, dataKeys = new DataKeys() }: HttpDeps): Routes {
  return async (app) => {
    app.get(
      "/v1/data-keys",
      { schema: { description: ABOUT, response: { 200: dataKeysSchema } } },
      async () => {
        const counts = new Map((await countSealed(ledger.db)).map((count) => [count.id, count]));
        const ids = [...new Set([...dataKeys.ids, ...counts.keys()])];
        return {
          keys: ids.map((id) => {
            const { contacts, enrolments } = counts.get(id) ?? { contacts: 0, enrolments: 0 };
            return {
              id,
              state: stateOf(id, dataKeys),
              contacts: Math.min(contacts, COUNTED_AT_MOST),
              enrolments: Math.min(enrolments, COUNTED_AT_MOST),
              more: Math.max(contacts, enrolments) > COUNTED_AT_MOST,
            };
          }),
        };
      },
    );
  };
}

function stateOf(id: string, dataKeys: DataKeys): DataKeysWire["keys"][number]["state"] {
  if (id === dataKeys.currentId) return "current";
  return dataKeys.ids.includes(id) ? "older" : "missing";
}
