import { Command, type Option } from "commander";

import type { Config } from "../config.ts";
import { formOptions, type FormOptions } from "./answer-form.ts";
import type { CliContext, Voice } from "./context.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

/** What a command does its work with. */
export interface Doing {
  readonly config: Config;
  readonly voice: Voice;
}

/** A command of ours, and what all of them do alike. */
export class CliCommand extends Command {
  readonly #context: CliContext;
  #complete: (() => void) | undefined;
  #grave: { asks: boolean } | undefined;
  #isHere = false;

  constructor(context: CliContext, name?: string) {
    super(name);
    this.#context = context;
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(this.#context, name);
  }

  /** Whoever has an answer as JSON has it in every form (answer-form.ts). */
  override addOption(option: Option): this {
    super.addOption(option);
    if (option.long === "--json") for (const one of formOptions()) super.addOption(one);
    return this;
  }

  /**
   * Sets what it does.
   *
   * @param work gets its arguments and options. Returns how it ended; nothing: well.
   */
  does<Given extends readonly unknown[]>(
    work: (doing: Doing, ...given: Given) => Promise<ExitCode | void>,
  ): this {
    return this.action(async (...given: Given) => {
      // Not for who asks for help alone.
      const { voiceOf } = await import("./context.ts");
      const config = this.settings();
      this.#takeBrand(config);
      const voice = await voiceOf(this.#context, config, this.opts<FormOptions>());
      if (this.#grave)
        await (await import("./contexts/grave.ts")).meant(this.#context, config, this, this.#grave);
      this.#context.finish((await work({ config, voice }, ...given)) ?? EXIT.ok);
    });
  }

  /** Has what takes a while to make added only where this command is the one that is run, or looked at. */
  completedBy(complete: () => void): this {
    this.#complete = complete;
    return this;
  }

  complete(): void {
    this.#complete?.();
    this.#complete = undefined;
  }

  /**
   * It can do harm where another system was meant: it says which one it speaks to, and asks first where that is a
   * protected context (contexts/grave.ts). What stops calls never asks.
   */
  grave({ asks = true } = {}): this {
    this.#grave = { asks };
    return asks ? this.option("--yes", "do it in a protected context, too, without asking") : this;
  }

  get isGrave(): boolean {
    return this.#grave !== undefined;
  }

  /** It is about this machine, and goes by no context. */
  here(): this {
    this.#isHere = true;
    return this;
  }

  get isHere(): boolean {
    return this.#isHere;
  }

  /** The settings, with its `--data-dir` and its context. @throws ConfigError or CliError */
  settings(): Config {
    const { dataDir, context } = this.optsWithGlobals<{ dataDir?: string; context?: string }>();
    return this.#context.settings(dataDir, { context, isHere: this.#isHere });
  }

  /**
   * A context's brand is whose campaign is meant where nobody says it. Nothing else is narrowed by it: a suppression
   * that names no brand is for all of them.
   */
  #takeBrand({ api: { context } }: Config): void {
    if (context?.brand === undefined) return;
    const option = this.options.find(({ long }) => long === "--brand");
    if (option?.defaultValue === "default" && this.getOptionValueSource("brand") === "default")
      this.setOptionValueWithSource("brand", context.brand, "config");
  }
}
