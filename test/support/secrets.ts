import { readSecretBrands, secretKey } from "../../src/domain/ground/secrets.ts";
import { createSecretStore } from "../../src/outbound/secrets.ts";

/**
 * Secrets by their names, as variables give them; a test may change the values under way. `brands` as
 * OUTDIAL_BRANDS_OF_SECRETS has it.
 */
export function secretsOf(
  values: Readonly<Record<string, string | readonly string[]>>,
  brands?: string,
): ReturnType<typeof createSecretStore> {
  const read = brands === undefined ? new Map() : readSecretBrands(brands);
  if (typeof read === "string") throw new Error(`the brands of secrets: ${read}`);
  const now = () => {
    const variables = Object.entries(values).map(([name, value]) => [
      secretKey(name),
      [value].flat().join("\n"),
    ]);
    return createSecretStore({
      dir: undefined,
      variables: Object.fromEntries(variables),
      files: {},
      brands: read,
    });
  };
  return { read: (name, actsFor) => now().read(name, actsFor) };
}
