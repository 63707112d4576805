// Finds rejected lines that contain a telephone number. Rejected lines are sealed whole and have no index by person, so
// each has to be opened.
import type { PspId } from '../../../core/ids.ts';
import type { Database } from '../../../platform/database.ts';
import type { Vault } from '../../../platform/sealed-secrets.ts';
import { allPages } from '../../kernel/all-pages.ts';
import { suspensePlace } from './ready.ts';
import { type LineKey, listSealed } from './suspense-store.ts';

/** Lines read and opened per query. */
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
  const read = (after: LineKey | null, limit: number) => listSealed(s.db, psp, after, limit);
  for await (const lines of allPages(stretch, ({ file, line }): LineKey => ({ file, line }), read))
    for (const { file, line, rawSealed } of lines)
      if (named.test(s.vault.open(rawSealed, suspensePlace({ id: file }, line)))) found.push({ file, line });
  return found;
}
