// Journals what somebody of an authority reads, before it is read: nothing is shown that is not in the journal.
import { toWire } from '../../core/ids.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Call, Needs, Operation } from '../kernel/operation.ts';

const longest = 300;

export async function recordRead(
  s: Needs<'ids' | 'committer'>,
  { id, access }: Pick<Operation, 'id' | 'access'>,
  { principal, params, query, now }: Pick<Call, 'principal' | 'params' | 'query' | 'now'>,
  asFile: boolean,
): Promise<void> {
  // Sign-ins have entries of their own.
  if (access !== undefined) return;
  const { psp, account } = principal;
  const given = { ...params, ...(query as Readonly<Record<string, unknown>>) };
  const entry = journalRow(s, principal, new Date(now).toISOString(), {
    kind: 'authority.read',
    psp,
    account,
    resourceId: s.ids.next(),
    version: 1,
    data: {
      authorityId: toWire('psp', psp),
      operation: id,
      asFile,
      parameters: Object.entries(given).map(([name, value]) => `${name}=${String(value).slice(0, longest)}`),
    },
  });
  await s.committer.submit<true>({
    account,
    keys: [],
    needs: [],
    decide: () => ({ reply: true, writes: { rows: [entry] } }),
  });
}
