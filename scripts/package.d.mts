/** A package as a lock file (version 3) has it. */
export interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  os?: readonly string[];
  cpu?: readonly string[];
  libc?: readonly string[];
  dependencies?: Readonly<Record<string, string>>;
  devDependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  peer?: boolean;
  peerDependencies?: Readonly<Record<string, string>>;
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
}

export interface LockFile {
  name: string;
  version: string;
  lockfileVersion: number;
  packages: Readonly<Record<string, LockedPackage>>;
}

export function nameAt(place: string): string;
export function shrinkwrapOf(lock: LockFile): LockFile;
