// Mutation testing with Stryker, set by set (scripts/mutation-sets.mjs): `npm run mutation` runs them all, which takes
// hours; `npm run mutation -- proof` runs one, or several. What stands behind `--` after that is Stryker's own:
// `npm run mutation -- proof -- --mutate src/domain/campaigns/evidence.ts`. Fails where a set comes under its threshold, and
// names it. Reports go to test-results/mutation/.
import { spawnSync } from "node:child_process";
import path from "node:path";

import { MUTATION_SETS } from "./mutation-sets.mjs";
import { installDependencies, root } from "./prepare.mjs";

const asked = process.argv.slice(2);
const end = asked.includes("--") ? asked.indexOf("--") : asked.length;
const names = end === 0 ? Object.keys(MUTATION_SETS) : asked.slice(0, end);
const unknown = names.filter((name) => !Object.hasOwn(MUTATION_SETS, name));
if (unknown.length > 0) {
  const known = Object.keys(MUTATION_SETS).join(", ");
  process.stderr.write(`There is no set ${unknown.join(", ")}. There are: ${known}\n`);
  process.exit(2);
}
await installDependencies();
const stryker = path.join(root, "node_modules", ".bin", "stryker");
const failed = names.filter((name) => {
  process.stdout.write(`\n== ${name}\n`);
  const { status } = spawnSync(stryker, ["run", ...asked.slice(end + 1)], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, MUTATION_SET: name },
  });
  return status !== 0;
});
if (failed.length > 0) process.stdout.write(`\nToo much goes unseen: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
