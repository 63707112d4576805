// Rejected lines that name a telephone number. They are sealed as they came, whosever they are, so that they have to be
// opened to be found.
import type { PspId } from '../../../core/ids.ts';
import type { Database } from '../../../platform/database.ts';
import type { Vault } from '../../../platform/sealed-secrets.ts';
import { suspensePlace } from './ready.ts';
import { type LineKey, listSealed } from './suspense-store.ts';

/** Lines opened in one go. */
const stretch = 1_000;

/** @param numbers E.164 */
export async function linesAbout(
  s: { readonly db: Database; readonly vault: Vault },
  psp: PspId,
  numbers: readonly string[],
): Promise<LineKey[]> {
  if (numbers.length === 0) return [];
  const digits = numbers.map((n) => n.replace(/\D/g, '')).join('|');
  const named = new RegExp(`(?<!\\d)(?:00)?(?:${digits})(?!\\d)`);
  const found: LineKey[] = [];
  for (let after: LineKey | undefined; ; ) {
    const lines = await listSealed(s.db, psp, after, stretch);
    for (const { file, line, rawSealed } of lines)
      if (named.test(s.vault.open(rawSealed, suspensePlace({ id: file }, line)))) found.push({ file, line });
    if (lines.length < stretch) return found;
    after = lines.at(-1);
  }
}
