/** Whether a process of this machine lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, and is somebody else's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
