declare module "fs-native-extensions" {
  /** Takes an exclusive lock on the open file, which goes with the process. False where another holds it. */
  export function tryLock(fd: number): boolean;
}
