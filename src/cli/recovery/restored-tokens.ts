/** What is to be said of the tokens of a ledger that was restored: it knows of no revocation since its backup. */
export function restoredTokensText({
  count,
  names,
}: {
  count: number;
  names: readonly string[];
}): readonly string[] {
  if (count === 0) return [];
  const others = count - names.length;
  const named = `${names.join(", ")}${others > 0 ? ` and ${others} more (\`outdial token list\`)` : ""}`;
  return [
    `tokens in force: ${named}. One that was revoked after the backup is good again: revoke it again, \`outdial token revoke <name> --reason "..."\``,
  ];
}
