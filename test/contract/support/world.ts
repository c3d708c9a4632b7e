import { expect, onTestFinished, vi } from "vitest";
import { createPlatform, type Platform, type ResponseEvent } from "../../../src/platform/index.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import type { SandboxOptions } from "../../../src/sandbox/options.ts";
import { createSandbox } from "../../../src/sandbox/sandbox.ts";
import { nameless } from "./rows.ts";
import { PATIENCE_MS } from "../../support/until.ts";

export const PUBLISHED_AGENT = "11111111-1111-4111-8111-111111111111";
export const DRAFT_AGENT = "22222222-2222-4222-8222-222222222222";
export const CALLER_ID = "+12025550100";

/** A simulated minute takes 0.1 s. */
export const SPEED = 600;

/** Everything here takes milliseconds; a machine that has much else to do takes seconds. Below the runner's own bound. */
const BOUND_MS = 18_000;

/** The real client and the real sandbox, with a socket between them. */
export interface World {
  readonly platform: Platform;
  readonly sandbox: Sandbox;
  /** What was answered with success so far, as `METHOD /path/{}`. */
  readonly answered: ReadonlySet<string>;
  /** Fields that this platform leaves out or nulls, so that nobody looks for them. */
  readonly withheld: ReadonlySet<string>;
  /** Checks that a record has the fields, null or not. */
  has(record: object | undefined, fields: readonly string[]): void;
  /** Checks what a record says, but for what is withheld. */
  says(record: object | undefined, expected: Readonly<Record<string, unknown>>): void;
}

export interface WorldOptions {
  readonly sandbox?: SandboxOptions;
  /** Where the client believes the platform to be; the sandbox itself by default. */
  readonly baseUrlOf?: (sandbox: Sandbox) => Promise<string>;
  /** Fields that this platform leaves out or nulls, so that nobody looks for them. */
  readonly withheld?: ReadonlySet<string>;
}

/** Opens a world that ends with the test. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const world = await beginWorld(options);
  onTestFinished(world.close);
  return world;
}

/** Opens a world for a whole file; `close` it at its end. */
export async function beginWorld(
  options: WorldOptions = {},
): Promise<World & { close: () => Promise<void> }> {
  const sandbox = await createSandbox({ speed: SPEED, rooms: "simulated", ...options.sandbox });
  const answered = new Set<string>();
  const withheld = options.withheld ?? new Set<string>();
  const baseUrl = options.baseUrlOf === undefined ? sandbox.url : await options.baseUrlOf(sandbox);
  const platform = clientOf({ baseUrl, apiKey: sandbox.apiKey }, ({ method, route, error }) => {
    if (error === undefined) answered.add(nameless(`${method} ${route}`));
  });
  return {
    platform,
    sandbox,
    answered,
    withheld,
    has: (record, fields) => {
      const missing = fields.filter((field) => !Object.hasOwn(record ?? {}, field) && !withheld.has(field));
      expect(missing, "fields that the contract names and the answer lacks").toEqual([]);
    },
    says: (record, expected) => {
      const told = Object.entries(expected).filter(([name]) => !withheld.has(name));
      expect(record).toMatchObject(Object.fromEntries(told));
    },
    close: async () => {
      await platform.close();
      await sandbox.close();
    },
  };
}

/** A client that repeats nothing, so that every error is seen. Times out well before the test does. */
function clientOf(
  target: { baseUrl: string; apiKey: string },
  onResponse: (event: ResponseEvent) => void = () => {},
): Platform {
  return createPlatform({ ...target, timeouts: { wholeMs: BOUND_MS }, hooks: { onResponse } });
}

/** A client of the same sandbox with another key, closed with the test. */
export function clientWith(sandbox: Sandbox, apiKey: string): Platform {
  const platform = clientOf({ baseUrl: sandbox.url, apiKey });
  onTestFinished(() => platform.close());
  return platform;
}

/** Waits until the assertion holds. */
export async function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return await vi.waitFor(assertion, { timeout: PATIENCE_MS, interval: 5 });
}

let numbers = 0;

/** A number that nobody else in this process has used, of a block that belongs to nobody. */
export function freshPhone(): string {
  numbers += 1;
  return `+1415555${String(numbers).padStart(4, "0")}`;
}

/** Everything that an iterator gives. */
export async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

/** What must be there by now. */
export function given<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Error("expected a value here");
  return value;
}
