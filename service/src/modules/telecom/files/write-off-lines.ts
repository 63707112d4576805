// Writes off rejected lines: closes them with a reason, in one commit with the journal entry.
import { toWire } from '../../../core/ids.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import type { Needs, Principal } from '../../kernel/needs.ts';
import { recordIn } from '../../kernel/record-in.ts';
import { type CdrFile, fileChange, lockFile } from './file-store.ts';
import { writeOff } from './suspense-store.ts';

/**
 * @param lines numbers of the lines; undefined for all open ones
 * @param now milliseconds since the epoch
 * @returns how many were open
 */
export function writeOffLines(
  s: Needs<'ids' | 'db' | 'committer'>,
  principal: Principal,
  file: CdrFile,
  lines: readonly number[] | undefined,
  reason: string,
  now: number,
): Promise<number> {
  const at = new Date(now).toISOString();
  return s.db.transaction(async (tx) => {
    const closed = await writeOff(tx, file, lines, reason, principal.actor, at);
    if (closed.length === 0) return 0;
    const before = await lockFile(tx, file);
    const after = { ...before, version: before.version + 1 };
    const entry = journalRow(s, principal, at, {
      kind: 'cdr.lines_written_off',
      ...about(after),
      data: { fileId: toWire('cdrFile', file.id), reason, count: closed.length, lines: closed.slice(0, 1000) },
    });
    await recordIn(tx, s, { rows: [fileChange(after), entry] });
    return closed.length;
  });
}
