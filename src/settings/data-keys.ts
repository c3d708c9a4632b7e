import { z } from "zod";

import { DataKeys, readDataKeys } from "../ledger/ground/data-keys.ts";
import { setting, type ValuesOf } from "./setting.ts";

export const DATA_KEY_SETTINGS = {
  OUTDIAL_DATA_KEYS: setting({
    schema: z
      .string()
      .check((context) => {
        try {
          readDataKeys(context.value);
        } catch (error) {
          const message = error instanceof Error ? error.message : "can't be read";
          context.issues.push({ code: "custom", input: context.value, message });
        }
      })
      .optional(),
    meaning:
      "Keys that encrypt the columns which campaigns call `sensitive`, `id:key` a line: 32 bytes in base64, the current one first, older ones behind it for as long as something is encrypted with them. The same in every process that takes lists or dials. `outdial data-key new` makes one.",
    example: "k2026:kq2b…=, a line each",
    secret: true,
  }),
} as const;

export function readDataKeySettings(values: ValuesOf<typeof DATA_KEY_SETTINGS>): DataKeys {
  const text = values.OUTDIAL_DATA_KEYS;
  return new DataKeys(text === undefined ? [] : readDataKeys(text));
}
