import { Argument } from "commander";

import type { CliCommand } from "../cli-command.ts";
import type { CliContext } from "../context.ts";
import { wholeProgram } from "../program.ts";
import { completionScript, SHELLS, type Shell } from "./scripts.ts";
import { completionTable } from "./tree.ts";

const HELP = `
Commands, options and their words are in the script: print it again after an update. Names of campaigns, sequences,
triggers, schedules and automations are asked of the system that the line is about, and left out where it does not
answer within 300 ms, or where its token comes from a program.

Examples:
  outdial completion bash > ~/.local/share/bash-completion/completions/outdial
  outdial completion zsh > "\${fpath[1]}/_outdial"
  outdial completion fish > ~/.config/fish/completions/outdial.fish
  source <(outdial completion bash)`;

export function registerCompletion(program: CliCommand, context: CliContext): void {
  program
    .command("completion")
    .description("Prints the script by which a shell completes command lines of outdial.")
    .addArgument(new Argument("<shell>", "whose").choices(SHELLS))
    .here()
    .addHelpText("after", HELP)
    .does(async (_doing, shell: Shell) => {
      context.stdout.write(completionScript(shell, completionTable(await wholeProgram(context))));
    });
}
