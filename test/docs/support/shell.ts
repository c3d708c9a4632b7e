/** The simple commands of a piece of shell: words without quotes, settings in front of them taken off. */
export function commandsIn(text: string): { words: string[]; settings: string[] }[] {
  return text
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .flatMap((line) => splitCommands(line))
    .filter((words) => words.length > 0)
    .map((words) => {
      const begin = words.findIndex((word) => !/^[A-Z_][A-Z0-9_]*=/.test(word) && word !== "export");
      const end = begin === -1 ? words.length : begin;
      const settings = words.slice(0, end).filter((word) => word !== "export");
      return { words: words.slice(end), settings: settings.map((word) => word.split("=")[0] ?? "") };
    });
}

/** Where output goes, outside of quotes: no word of the command. */
const REDIRECTION = /^\d?>{1,2}(?:&\d|\s*[^\s;|&]+)/;

/** Quotes, comments, pipes, lists and where output goes are all that the documents use. */
function splitCommands(line: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let quote = "";
  const end = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  let passed = 0;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    const redirection =
      quote === "" && word === undefined && index >= passed ? REDIRECTION.exec(line.slice(index)) : null;
    if (redirection) passed = index + redirection[0].length;
    if (index < passed) continue;
    if (quote !== "") {
      if (character === quote) quote = "";
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (character === "#" && word === undefined) break;
    else if ("|;&".includes(character)) {
      end();
      commands.push([]);
    } else if (/\s/.test(character)) end();
    else word = (word ?? "") + character;
  }
  if (quote !== "") throw new Error(`a quote does not close: ${line}`);
  end();
  return commands;
}

/** What a command line hands to Outdial, or undefined where it is another program's. */
export function outdialArguments(words: readonly string[]): string[] | undefined {
  for (const prefix of [
    ["outdial"],
    ["npx", "outdial"],
    ["npm", "run", "outdial", "--"],
    ["node", "bin/outdial.mjs"],
  ]) {
    if (prefix.every((word, index) => words[index] === word)) return words.slice(prefix.length);
  }
  return undefined;
}
