/** What commander says of a command line, with arguments told as options are. */
export function usageText(message: string): string {
  return message
    .replace(/^error: /, "")
    .replace(
      /^command-argument value ('.*') is invalid for argument '([^']+)'/s,
      "argument <$2> $1 is invalid",
    );
}
