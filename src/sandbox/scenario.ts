import { readFileSync } from "node:fs";

import { parse, YAMLError } from "yaml";
import { z } from "zod";

import { problemWords, specProblems } from "../domain/ground/spec-problems.ts";
import { SandboxOptionsError } from "./options-error.ts";
import type { Clock, Timer } from "./clock.ts";
import { faultSchema } from "./faults.ts";
import type { Fault, Faults } from "./faults.ts";

/** The shortest spell and the shortest pause: below, a scenario would do nothing but arm and disarm. */
const SHORTEST_MS = 10;

const stepSchema = z
  .strictObject({
    /** What it is for: for the reader. */
    note: z.string().optional(),
    /** When it comes into force, after the scenario is loaded. */
    at_ms: z.number().min(0).default(0),
    /** How long it stays; without it, for good. */
    for_ms: z.number().min(SHORTEST_MS).optional(),
    /** Comes again so long after it came; needs `for_ms`, which has to be shorter. */
    every_ms: z.number().min(SHORTEST_MS).optional(),
    faults: z.array(faultSchema).min(1).max(100),
  })
  .refine(({ for_ms: forMs, every_ms: everyMs }) => everyMs === undefined || (forMs ?? everyMs) < everyMs, {
    error: "needs a for_ms that is shorter",
    path: ["every_ms"],
  });

/**
 * Trouble as data: faults that come and go. Times are milliseconds of the real world, as in faults. Faults that are
 * added by hand stay what they are.
 */
export const scenarioSchema = z.strictObject({
  name: z.string().min(1).max(255),
  description: z.string().optional(),
  steps: z.array(stepSchema).min(1).max(100),
});

export type Scenario = z.output<typeof scenarioSchema>;
export type ScenarioInput = z.input<typeof scenarioSchema>;

/** Reads a scenario from a YAML or JSON file. Throws one error that names the file and every problem in it. */
export function readScenario(file: string): Scenario {
  const parsed = scenarioSchema.safeParse(valueIn(file), { error: problemWords });
  if (!parsed.success) {
    const problems = specProblems(parsed.error.issues, { whole: "the scenario", kind: "a scenario" });
    const told = problems.map(({ field, problem }) => `${field}: ${problem}`);
    throw new SandboxOptionsError(`scenario ${file}: ${told.join("; ")}`);
  }
  return parsed.data;
}

/** Arms and disarms the faults of a scenario. One runs at a time. */
export class ScenarioRun {
  readonly #clock: Clock;
  readonly #faults: Faults;
  readonly #timers = new Set<Timer>();
  readonly #armed = new Set<string>();
  #scenario: Scenario | null = null;

  constructor(clock: Clock, faults: Faults) {
    this.#clock = clock;
    this.#faults = faults;
  }

  /** The one that is running. */
  get current(): Scenario | null {
    return this.#scenario;
  }

  /** Ends the running scenario and begins another. Throws, with nothing in force, if a fault of it is refused. */
  load(scenario: ScenarioInput): void {
    const parsed = scenarioSchema.parse(scenario);
    this.unload();
    for (const { faults } of parsed.steps) {
      for (const fault of faults) {
        this.#faults.check(fault);
      }
    }
    this.#scenario = parsed;
    for (const step of parsed.steps) {
      this.#begin(step, step.at_ms);
    }
  }

  /** Ends the running scenario, and with it the faults that it has in force. */
  unload(): void {
    for (const timer of this.#timers) {
      this.#clock.cancel(timer);
    }
    this.#timers.clear();
    this.#disarm([...this.#armed]);
    this.#scenario = null;
  }

  #begin(step: Scenario["steps"][number], afterMs: number): void {
    this.#after(afterMs, () => {
      const ids = step.faults.map((fault) => this.#arm(fault));
      if (step.for_ms !== undefined) {
        this.#after(step.for_ms, () => {
          this.#disarm(ids);
        });
      }
      if (step.every_ms !== undefined) {
        this.#begin(step, step.every_ms);
      }
    });
  }

  #after(delayMs: number, run: () => void): void {
    if (delayMs === 0) {
      run();
      return;
    }
    const timer = this.#clock.afterReal(delayMs, () => {
      this.#timers.delete(timer);
      run();
    });
    this.#timers.add(timer);
  }

  #arm(fault: Fault): string {
    const { fault_id: id } = this.#faults.add(fault);
    this.#armed.add(id);
    return id;
  }

  #disarm(ids: readonly string[]): void {
    for (const id of ids) {
      this.#armed.delete(id);
      this.#faults.remove(id);
    }
  }
}

function valueIn(file: string): unknown {
  const text = readFileSync(file, "utf8");
  try {
    return parse(text);
  } catch (error) {
    // The parser's first line says what and where; the others show the place.
    const [said = ""] = error instanceof YAMLError ? error.message.split("\n") : ["it can't be read"];
    throw new SandboxOptionsError(`scenario ${file} is not YAML: ${said.replace(/:$/, "")}`, {
      cause: error,
    });
  }
}
