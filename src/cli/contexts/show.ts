import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { listing } from "../view/report.ts";
import { contextIn, contextNameFor } from "./chosen.ts";
import { readContexts, type Context, type ContextFile } from "./context-file.ts";

export function registerContextShow(context: CliCommand): void {
  context
    .command("list")
    .description("Lists contexts, and which one commands go by. Tokens are never shown.")
    .here()
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const found = readContexts(config.api.contextsFile);
      const chosen = contextNameFor(config, { dataDir: undefined }, () => found.current);
      const items = Object.entries(found.contexts).map(([name, one]) => shownContext(found, name, one));
      const rows = items.map((item) => [
        item.name === chosen ? "*" : "",
        item.name,
        item.url,
        item.token,
        item.brand ?? "",
        item.protected ? "protected" : "",
      ]);
      const none = "no contexts: make one with `outdial context set <name> --url <address>`";
      voice.present(listing(none, ["", "context", "address", "token", "brand", ""], rows, voice.colours));
      // Somebody who wonders why another system answers looks here.
      if (chosen === undefined && found.current !== undefined) {
        voice.tell([
          `${found.current} is chosen, and the environment names another system, which goes before it`,
        ]);
      }
      voice.json({ items, current: found.current ?? null, in_use: chosen ?? null });
    });

  context
    .command("show")
    .description("Shows a context. Its token is never shown.")
    .argument("[context]", "its name; by default the one that commands go by")
    .here()
    .addOption(jsonOption())
    .does(async ({ config, voice }, given: string | undefined) => {
      const found = readContexts(config.api.contextsFile);
      const name = given ?? contextNameFor(config, { dataDir: undefined }, () => found.current);
      if (name === undefined) {
        voice.present(["commands go by no context"]);
        voice.json(null);
        return;
      }
      const one = shownContext(found, name, contextIn(found, name));
      voice.present(
        Object.entries(one).flatMap(([field, value]) =>
          value === null ? [] : [`${field}: ${String(value)}`],
        ),
      );
      voice.json(one);
    });
}

/** What may be seen of one. */
export function shownContext({ current }: ContextFile, name: string, context: Context) {
  const { url, token, token_file: file, token_command: command, ca_file: caFile, brand } = context;
  return {
    name,
    url,
    token:
      command !== undefined
        ? "of a command"
        : file !== undefined
          ? `of the file ${file}`
          : token === undefined
            ? "of OUTDIAL_API_TOKEN"
            : "kept here",
    ca_file: caFile ?? null,
    brand: brand ?? null,
    protected: context.protected === true,
    current: name === current,
  };
}
