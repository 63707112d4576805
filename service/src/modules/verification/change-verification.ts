// Changes what a client has shown of its owners and licences: one command with the account, whose hold for an ended
// licence follows from it, and the entry about the client.
import { notFound, Refusal, refuse } from '../../core/refusal.ts';
import { startOfDate } from '../../core/reports/period.ts';
import { firstDayWithout, licenceHolds } from '../../core/requirements/licence.ts';
import { decidingTime } from '../../core/standing.ts';
import { need } from '../../platform/committer.ts';
import {
  type Account,
  accountChange,
  accountResource,
  accountRows,
  bothAccounts,
  concerned,
  type HasAccounts,
} from '../accounts/index.ts';
import { aboutAccount, type Entry, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { expectSubject, type SubjectKey } from '../kernel/subjects.ts';
import { zoneOf } from './shown.ts';
import {
  type ClientKey,
  nothingShown,
  personOf,
  type Verification,
  verificationOf,
  verificationRow,
} from './verification-store.ts';

export interface VerificationChange {
  readonly changed: 'owners' | 'licences' | 'documents';
  readonly reason?: string | undefined;
  /** Whether it seals something for the client. */
  readonly seals?: boolean;
  /** @returns the same object if nothing changes */
  to(before: Verification, at: string, key: SubjectKey | undefined): Verification | Refusal;
  /** The entry in place of the usual one about the client. */
  entry?(
    after: Verification,
    client: ReturnType<typeof accountResource>,
    account: Account,
  ):
    | Pick<Entry<'client.licence_expiring'>, 'kind' | 'data'>
    | Pick<Entry<'client.updated'>, 'kind' | 'data' | 'evidence'>
    | undefined;
}

export interface Changed {
  readonly account: Account;
  readonly verification: Verification;
  /** Whether nothing changed. */
  readonly replayed: boolean;
}

export type ChangeNeeds = Needs<'settings' | 'ids' | 'committer' | 'rates' | 'subjects'> & HasAccounts;

/** @throws NOT_FOUND, STATE_CONFLICT, and what the change refuses */
export function changeVerification(
  s: ChangeNeeds,
  principal: Principal,
  client: ClientKey,
  now: number,
  change: VerificationChange,
): Promise<Changed> {
  const { psp, account: id } = client;
  const asked = new Date(now).toISOString();
  const who = concerned(s.accounts, psp, id);
  const held = need(verificationOf, client);
  const person = change.seals ? need(s.subjects, personOf(client)) : undefined;
  return s.committer.submit<Changed>({
    account: id,
    keys: [`a|${id}`],
    exclusive: true,
    needs: [who.account, who.psp, held, ...(person ? [person] : [])],
    decide(facts) {
      const both = bothAccounts(facts, who);
      if (both instanceof Refusal) return both;
      const { account: before, psp: owner } = both;
      if (before.kind !== 'client') return notFound();
      if (before.operationalStanding === 'CLOSED')
        return refuse('STATE_CONFLICT', 'the account is closed and cannot be changed');
      const at = decidingTime(before, asked);
      const was = facts(held) ?? nothingShown(client, at);
      const made = change.to(was, at, person && facts(person));
      if (made instanceof Refusal) return made;
      if (made === was) return { reply: { account: before, verification: was, replayed: true } };
      const verification = { ...made, version: was.version + 1, updatedAt: at };
      const day = firstDayWithout(verification.licences);
      const from = day && new Date(startOfDate(zoneOf(s, before.country), day)).toISOString();
      const holds = licenceHolds(before.holds, from, at, () => s.ids.next());
      const account: Account = { ...before, holds, version: before.version + 1, updatedAt: at };
      const said = change.entry?.(verification, accountResource(s, account, owner, at), account);
      return {
        reply: { account, verification, replayed: false },
        writes: {
          ...(person ? expectSubject(facts, person) : {}),
          rows: [
            verificationRow(verification),
            ...(said
              ? [accountChange(account), journalRow(s, principal, at, { ...aboutAccount(account), ...said })]
              : change.changed === 'licences'
                ? accountRows(s, principal, account, owner, change.reason, {
                    changed: ['licences'],
                    licences: verification.licences,
                  })
                : accountRows(
                    s,
                    principal,
                    account,
                    owner,
                    change.reason,
                    {
                      changed: [change.changed],
                      ownerShares: verification.ownerShares ?? [],
                      ownerIds: verification.ownerIds ?? [],
                    },
                    { sealed: verification.ownersSealed, subject: verification.subject },
                  )),
          ],
        },
      };
    },
    committed: () => s.accounts.forget({ psp, id }),
  });
}

/** What every operation declares that decides about something a client has shown. */
export const shownDecision = {
  method: 'POST',
  tag: 'Clients',
  area: 'administration',
  audience: ['operator'],
  roles: ['administrator', 'reviewer'],
  idempotent: true,
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
} as const;
