import { runProgram } from "../../../src/cli/program.ts";

/** How the program ends every complaint about its arguments. */
const COMPLAINT = "(--help says more)";

/**
 * What the program itself says against a command line, or undefined where it takes it. Nothing is done: a command
 * that was understood asks for its settings first, and gets none.
 */
export async function objectionTo(args: readonly string[]): Promise<string | undefined> {
  let said = "";
  const unused = () => {
    throw new Error("understood");
  };
  await runProgram(
    {
      openSettings: unused,
      ports: {
        openLedger: unused,
        startSystem: unused,
        openPlatform: unused,
        runSandbox: unused,
        lookAtProvider: unused,
        lookForMissing: unused,
        provideTemporalServer: unused,
      },
      stdout: { write: () => {} },
      stderr: {
        write: (text) => {
          said += text;
        },
      },
    },
    args,
    async () => false,
  );
  return said.includes(COMPLAINT) ? said.replace(COMPLAINT, "").trim() : undefined;
}

/** The same for a command line that leaves out what running text need not say: arguments, and required options. */
export async function objectionToPart(args: readonly string[]): Promise<string | undefined> {
  const objection = await objectionTo(args);
  const option = /required option '(--[\w-]+)/.exec(objection ?? "")?.[1];
  if (option !== undefined) return objectionToPart([...args, option, "x"]);
  if (/missing required argument/.test(objection ?? "")) return objectionToPart([...args, "x"]);
  // What stands in for a value may be of no form that is taken: the objection says one that is.
  const [, form] = /'x' .*is invalid.*such as (\S+)\.$/.exec(objection ?? "") ?? [];
  return form !== undefined && args.includes("x")
    ? objectionToPart(args.map((arg) => (arg === "x" ? form : arg)))
    : objection;
}
