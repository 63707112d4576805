// Opens the telephone numbers of call detail records for callers who may see them, each with the key of its person.
import type { Needs } from '../kernel/needs.ts';
import { erased } from '../kernel/subjects.ts';
import type { CdrRecord, ShownNumbers } from './cdr-store.ts';

/** Numbers by record, with one query for all keys. `erased` replaces the number of a person who was erased since. */
export async function shownNumbers(
  s: Needs<'db' | 'subjects'>,
  records: readonly CdrRecord[],
): Promise<(c: CdrRecord) => ShownNumbers> {
  const idOf = ({ psp }: CdrRecord, subject: string) => ({ psp, subject });
  const hidden = records.flatMap((c) => [
    ...(c.callerNumber !== null && c.callerGeneration !== null ? [idOf(c, c.callerNumber)] : []),
    ...(c.receiverNumber !== null && c.receiverGeneration !== null ? [idOf(c, c.receiverNumber)] : []),
  ]);
  const unique = new Map(hidden.map((id) => [s.subjects.text(id), id]));
  const keys = unique.size === 0 ? undefined : await s.subjects.load(s.db, [...unique.values()]);
  const shown = (c: CdrRecord, value: string | null, generation: number | null): string => {
    if (value === null || generation === null) return value ?? '';
    const key = keys?.get(s.subjects.text(idOf(c, value)));
    return (key?.generation === generation ? key.number : undefined) ?? erased;
  };
  return (c) => ({
    caller: shown(c, c.callerNumber, c.callerGeneration),
    receiver: shown(c, c.receiverNumber, c.receiverGeneration),
  });
}
