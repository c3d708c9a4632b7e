/** The command does not fit the state of what it was given to; nothing was changed. */
export class CommandRefusedError extends Error {
  override readonly name = "CommandRefusedError";
}
