// Changes the tax profiles of an account, as a command like every change of one.
import type { PspId } from '../../core/ids.ts';
import { notFound, Refusal, refuse, said } from '../../core/refusal.ts';
import { decidingTime, trades } from '../../core/standing.ts';
import { type TaxNumberKind, type TaxProfile, type TaxScheme, withProfile } from '../../core/tax/supplier.ts';
import type { Supply } from '../../core/tax/supplies.ts';
import { taxNumberValid } from '../../platform/identifiers.ts';
import { isNumberOf } from '../../platform/tax-numbers.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { accountRows } from './account-rows.ts';
import { type Account, bothAccounts, concerned, type HasAccounts } from './accounts.ts';

export interface ProfileChange {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly validFrom: string;
  readonly registered: boolean;
  readonly scheme?: TaxScheme | undefined;
  readonly taxNumber?: string | undefined;
  readonly taxNumberKind?: TaxNumberKind | undefined;
  readonly subdivision?: string | undefined;
  readonly supply?: Supply | undefined;
  /** Recorded in the journal. */
  readonly reason?: string | undefined;
}

const mostProfiles = 200;

/** @returns the account after the change; unchanged and without an entry if nothing differs */
export function changeTaxProfiles(
  s: Needs<'settings' | 'ids' | 'committer'> & HasAccounts,
  principal: Principal,
  { psp, id }: { readonly psp: PspId; readonly id: string },
  change: ProfileChange,
  now: number,
): Promise<Account> {
  const asked = new Date(now).toISOString();
  const who = concerned(s.accounts, psp, id);
  const set = profileOf(change);
  return s.committer.submit<Account>({
    account: id,
    keys: [`a|${id}`],
    exclusive: true,
    needs: [who.account, who.psp],
    decide(facts) {
      const both = bothAccounts(facts, who);
      if (both instanceof Refusal) return both;
      const { account: before, psp: owner } = both;
      if (!trades(before)) return notFound();
      if (before.operationalStanding === 'CLOSED')
        return refuse('STATE_CONFLICT', 'the account is closed and cannot be changed');
      const taxProfiles = withProfile(before.taxProfiles, set);
      if (JSON.stringify(taxProfiles) === JSON.stringify(before.taxProfiles)) return { reply: before };
      if (taxProfiles.length > mostProfiles)
        return refuse('LIMIT_REACHED', said`an account can have at most ${mostProfiles} tax profiles`);
      const at = decidingTime(before, asked);
      const after: Account = { ...before, taxProfiles, version: before.version + 1, updatedAt: at };
      return {
        reply: after,
        writes: {
          rows: accountRows(s, principal, after, before.id === owner.id ? after : owner, change.reason, {
            changed: ['taxProfiles'],
          }),
        },
      };
    },
    committed: () => s.accounts.forget({ psp, id }),
  });
}

const profileOf = (c: ProfileChange): TaxProfile => ({
  country: c.country,
  validFrom: c.validFrom,
  registered: c.registered,
  scheme: c.scheme ?? 'STANDARD',
  taxNumber: c.taxNumber ?? null,
  ...(c.taxNumberKind === undefined ? {} : { taxNumberKind: c.taxNumberKind }),
  taxNumberValid: c.taxNumber === undefined ? null : fits(c.taxNumber, c),
  subdivision: c.subdivision ?? null,
  supply: c.supply ?? null,
});

/** Without its kind a number is compared with those of all kinds. */
const fits = (text: string, { country, taxNumberKind }: ProfileChange): boolean | null =>
  taxNumberKind === undefined ? taxNumberValid(text, country) : isNumberOf(taxNumberKind, text, country);
