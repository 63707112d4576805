// Rejected lines that name a telephone number. They are sealed as they came, whosever they are, so that they have to be
// opened to be found.
import type { Database } from '../../../platform/database.ts';
import type { Vault } from '../../../platform/sealed-secrets.ts';
import { suspensePlace } from './ready.ts';
import { dropRaw, listSealed } from './suspense-store.ts';

/** Lines opened in one go. */
const stretch = 1_000;

/**
 * @param numbers E.164
 * @param what `drop` leaves the lines with their findings, but without what stood in them
 * @returns how many there are
 */
export async function linesAbout(
  s: { readonly db: Database; readonly vault: Vault },
  psp: string,
  numbers: readonly string[],
  what: 'count' | 'drop',
): Promise<number> {
  if (numbers.length === 0) return 0;
  const digits = numbers.map((n) => n.replace(/\D/g, '')).join('|');
  const named = new RegExp(`(?<!\\d)(?:00)?(?:${digits})(?!\\d)`);
  let found = 0;
  for (let after: { file: string; line: number } | undefined; ; ) {
    const lines = await listSealed(s.db, psp, after, stretch);
    const about = lines.filter((l) => named.test(s.vault.open(l.rawSealed, suspensePlace({ id: l.file }, l.line))));
    found += about.length;
    if (what === 'drop') await dropRaw(s.db, psp, about);
    if (lines.length < stretch) return found;
    after = lines.at(-1);
  }
}
