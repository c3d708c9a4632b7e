import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { z } from "zod";

/** docker-compose.yml as this test reads it: what starts, with which settings, and how it is known to be well. */
const composeSchema = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      build: z.string().optional(),
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).default({}),
      healthcheck: z
        .object({ test: z.array(z.string()).optional(), disable: z.boolean().optional() })
        .optional(),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
      ports: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
      secrets: z.array(z.string()).default([]),
    }),
  ),
  secrets: z.record(z.string(), z.object({ environment: z.string() })).default({}),
  volumes: z.record(z.string(), z.null()),
});

const file = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

export function readCompose(): z.infer<typeof composeSchema> {
  return composeSchema.parse(parse(fs.readFileSync(file("docker-compose.yml"), "utf8"), { merge: true }));
}

/** The names in .env.example. */
export function envExampleNames(): string[] {
  return [...fs.readFileSync(file(".env.example"), "utf8").matchAll(/^([A-Z_]+)=/gm)].map(
    ([, name = ""]) => name,
  );
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`, as Compose fills them in. */
export function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g,
    (_whole, name: string, operator: string | undefined, rest: string | undefined) => {
      const value = values[name] ?? "";
      if (value !== "") return value;
      if (operator === "?") throw new Error(`${name}: ${rest}`);
      return operator === "-" ? (rest ?? "") : "";
    },
  );
}
