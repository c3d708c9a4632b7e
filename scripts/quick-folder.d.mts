/** Has this process and those that it starts keep their temporary files in memory, where there is enough of it. */
export function keepTemporaryFilesInMemory(): void;
