import pg from "pg";
import { afterAll, inject } from "vitest";

/**
 * For whoever runs files of tests hundreds of times on one server: each leaves a database behind, of 13 MB in memory, and
 * nobody opens it again. One server serves one process of tests here, and that one file at a time.
 */
afterAll(async () => {
  const url = inject("postgresUrl");
  if (url === undefined) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>(
    String.raw`select datname from pg_database where datname like 'test\_%'`,
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
});
