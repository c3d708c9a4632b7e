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
      user: z.string().optional(),
      restart: z.string().optional(),
      read_only: z.boolean().default(false),
      tmpfs: z.array(z.string()).default([]),
      security_opt: z.array(z.string()).default([]),
      cap_drop: z.array(z.string()).default([]),
      cap_add: z.array(z.string()).default([]),
      privileged: z.boolean().default(false),
      mem_limit: z.string().optional(),
      pids_limit: z.number().optional(),
      stop_grace_period: z.string().optional(),
      logging: z.object({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
      env_file: z.array(z.object({ path: z.string(), required: z.boolean() })).default([]),
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).default({}),
      healthcheck: z
        .object({ test: z.array(z.string()).optional(), disable: z.boolean().optional() })
        .optional(),
      depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
      ports: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
});

const file = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

export const COMPOSE_FILE = file("docker-compose.yml");

export function readCompose(): z.infer<typeof composeSchema> {
  return composeSchema.parse(parse(fs.readFileSync(COMPOSE_FILE, "utf8"), { merge: true }));
}

/** A file of this checkout. */
export function readText(name: string): string {
  return fs.readFileSync(file(name), "utf8");
}

/** The names in .env.example. */
export function envExampleNames(): string[] {
  return [...readText(".env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name = ""]) => name);
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`, as Compose fills them in. */
export function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  // A default may hold a variable itself.
  return text.replaceAll(
    /\$\{([A-Z_]+)(?::([-?])((?:[^{}]|\$\{[^{}]*\})*))?\}/g,
    (_whole, name: string, operator: string | undefined, rest = "") => {
      const value = values[name] ?? "";
      if (value !== "") return value;
      if (operator === "?") throw new Error(`${name}: ${rest}`);
      return operator === "-" ? interpolate(rest, values) : "";
    },
  );
}
