// The command that closes a month of an operator. It only writes a journal entry: the analysis closes the month when it
// reaches the entry, so that records before it count in the month and records after it are late.
import { localDate } from '../../../core/calendar.ts';
import { noCountry } from '../../../core/cdr/analyse.ts';
import { accountWire, type PspId } from '../../../core/ids.ts';
import { Refusal, refuse, said } from '../../../core/refusal.ts';
import { type Command, need, type RefKey } from '../../../platform/committer.ts';
import { bothAccounts, concerned, type HasAccounts } from '../../accounts/index.ts';
import { journalRow } from '../../kernel/journal.ts';
import type { Needs, Principal, Reply } from '../../kernel/operation.ts';
import { refHeld } from '../../kernel/refs.ts';
import { operatorOf } from './analyse-entries.ts';

/**
 * @param whose the account (uuid) whose month is closed, and its PSP
 * @param now milliseconds since the epoch
 */
export function closing(
  s: Needs<'ids' | 'reference' | 'rates'> & HasAccounts,
  principal: Principal,
  whose: { readonly psp: PspId; readonly account: string },
  period: string,
  now: number,
): Command<Reply> {
  const { psp, account } = whose;
  const key: RefKey = { psp, space: 'cdr_period', ref: period, account };
  const held = need(refHeld, key, true);
  const who = concerned(s.accounts, psp, account);
  return {
    account,
    keys: [`r|cdr_period|${account}|${period}`],
    needs: [who.account, who.psp, held],
    decide(facts) {
      const accounts = bothAccounts(facts, who);
      if (accounts instanceof Refusal) return accounts;
      const content = { clientId: accountWire(psp, account), period, country: accounts.account.country ?? noCountry };
      const reply = { message: 'period closed', content };
      if (facts(held)) return { reply: { ...reply, replayed: true } };
      const { timeZone } = operatorOf(s, accounts.account);
      const today = localDate(timeZone, now);
      if (today.slice(0, 7) <= period)
        return refuse('STATE_CONFLICT', said`the month ${period} has not ended: it is ${today} in ${timeZone}`);
      const id = s.ids.next();
      return {
        reply,
        writes: {
          refsNew: [{ ...key, target: id, revision: 1 }],
          rows: [
            journalRow(s, principal, new Date(now).toISOString(), {
              kind: 'cdr.period_closed',
              psp,
              account,
              resourceId: id,
              version: 1,
              data: content,
            }),
          ],
        },
      };
    },
  };
}
