// The writes of every change of an account that its subject may know: the account and its entry.
import type { Content } from '../../entries/index.ts';
import { aboutAccount, type Entry, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { accountResource } from './account-resource.ts';
import { type Account, accountChange } from './accounts.ts';

/** @param after the account after the change @param sealed personal data that the entry keeps */
export const accountRows = (
  s: Needs<'settings' | 'ids'>,
  principal: Principal,
  after: Account,
  psp: Account,
  reason: string | undefined,
  evidence: Content<'client.updated/1'>['evidence'] = {},
  sealed: Pick<Entry<'client.updated'>, 'sealed' | 'subject'> = {},
) => [
  accountChange(after),
  journalRow(s, principal, after.updatedAt, {
    kind: 'client.updated',
    ...aboutAccount(after),
    data: accountResource(s, after, psp, after.updatedAt),
    evidence: {
      ...evidence,
      ...(reason === undefined ? {} : { reason }),
      ...(after.holds.length === 0 ? {} : { holds: after.holds }),
    },
    ...sealed,
  }),
];
