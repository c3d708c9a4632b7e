/**
 * Every text in something that came from Temporal, a line each, payloads read as what they say.
 *
 * Not by JSON: its messages write their bytes in base64 there, where no word that is searched for is found.
 */
export function textsIn(value: unknown): string {
  return [...eachText(value)].join("\n");
}

function* eachText(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (value instanceof Uint8Array) yield Buffer.from(value).toString();
  else if (typeof value === "object" && value !== null) {
    for (const [name, held] of Object.entries(value)) {
      yield name;
      yield* eachText(held);
    }
  }
}
