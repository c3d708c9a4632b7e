/** Something that the sandbox was given can't be: an option, a scenario, a data file. */
export class SandboxOptionsError extends Error {
  override readonly name = "SandboxOptionsError";
}
