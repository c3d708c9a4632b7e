/** A message in its two parts. */
export interface Said {
  /** What is wrong. */
  problem: string;
  /** What to do about it. Undefined where the message does not say. */
  remedy: string | undefined;
}

/** How remedies begin: what somebody is to do. */
const REMEDY =
  /^(?:`|(?:add|apply|ask|begin|call|cancel|carry|change|check|choose|close|correct|declare|delete|drop|end|enroll|export|fill|format|give|go|grant|import|install|keep|leave|let|list|look|lower|make|mend|move|name|narrow|pass|pause|publish|put|raise|read|register|remove|rename|resolve|restart|restore|resume|retry|rotate|run|save|say|see|send|set|shorten|skip|split|start|stop|take|try|turn|undo|unset|update|use|wait|write)\b)/;

/**
 * Takes a message of ours apart: what is wrong stands before a colon, what to do behind it. A message of several
 * lines ends with what to do, unless its last line is one of a list, which stands indented.
 */
export function saidAndRemedy(message: string): Said {
  const lineEnd = message.lastIndexOf("\n");
  if (lineEnd >= 0) {
    const last = message.slice(lineEnd + 1);
    return last.startsWith(" ")
      ? { problem: message, remedy: undefined }
      : { problem: message.slice(0, lineEnd), remedy: last };
  }
  const outer = withoutInner(message);
  for (let at = outer.indexOf(": "); at >= 0; at = outer.indexOf(": ", at + 1)) {
    const rest = message.slice(at + 2);
    if (REMEDY.test(rest)) return { problem: message.slice(0, at), remedy: rest };
  }
  return { problem: message, remedy: undefined };
}

/** Of the same length; what stands in quotes, backticks or brackets is told by somebody else. */
function withoutInner(message: string): string {
  return message.replaceAll(/"[^"]*"|`[^`]*`|\([^()]*\)/g, (inner) => "_".repeat(inner.length));
}
