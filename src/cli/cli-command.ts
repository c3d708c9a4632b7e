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
      const voice = await voiceOf(this.#context, config, this.opts<FormOptions>());
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

  /** The settings, with its `--data-dir`. @throws ConfigError */
  settings(): Config {
    const { dataDir } = this.optsWithGlobals<{ dataDir?: string }>();
    return this.#context.settings(dataDir);
  }
}
