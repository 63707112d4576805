// Puts clients on hold by rules that their PSP switched on for it: within the commit of the case that the alert joins, so
// once. The hold is private and ends as any other from a case does; a rule places no second one while its first lasts.
import type { AccountId, PspId } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Review } from '../../core/risk/review.ts';
import { stored } from '../../core/said.ts';
import { inForce } from '../../core/standing.ts';
import type { Row } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { type Account, changedStanding, type HasAccounts } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Principal, system } from '../kernel/principal.ts';
import type { HasRiskBook } from '../risk/index.ts';

/** What is done by rules, in cases and journal. */
export const byService: Principal = { ...system, actor: 'rule' };

/** The private code of a hold that a rule places. */
const holdCode = 'RISK_RULE';

type Uses = Needs<'settings' | 'clock' | 'ids' | 'log'> & HasAccounts & HasRiskBook;

export interface HeldByRules {
  /** Ids of the holds (UUIDs). */
  readonly holds: readonly string[];
  readonly rows: readonly Row[];
}

export class HoldsByRules {
  readonly #s: Uses;
  readonly #psp: PspId;
  readonly #holding: ReadonlySet<string>;
  /** As they are after the holds placed so far. */
  readonly #accounts: Map<string, Account>;

  private constructor(s: Uses, psp: PspId, accounts: Map<string, Account>) {
    this.#s = s;
    this.#psp = psp;
    this.#holding = s.riskBook.inForce.holding.get(psp) ?? new Set();
    this.#accounts = accounts;
  }

  /** Reads the accounts of alerts, where the PSP has switched on a rule that holds. */
  static async read(s: Uses, tx: Database, psp: PspId, alerts: readonly Review[]): Promise<HoldsByRules> {
    const holding = s.riskBook.inForce.holding.get(psp);
    const ids = alerts.filter((a) => holding?.has(a.rule) && a.account !== psp).map((a) => a.account);
    const found =
      ids.length === 0
        ? []
        : await s.accounts.load(
            tx,
            [...new Set([...ids, psp])].map((id) => ({ psp, id })),
          );
    return new HoldsByRules(s, psp, new Map([...found].map(([, a]) => [a.id, a])));
  }

  /** @param caseId of the case that the alerts are in, as on the wire */
  place(account: AccountId, alerts: readonly Review[], caseId: string): HeldByRules {
    const now = this.#s.clock();
    const at = new Date(now).toISOString();
    const holds: string[] = [];
    const rows: Row[] = [];
    for (const rule of new Set(alerts.filter((a) => this.#holding.has(a.rule)).map((a) => a.rule))) {
      const [client, psp] = [this.#accounts.get(account), this.#accounts.get(this.#psp)];
      const alert = alerts.find((a) => a.rule === rule);
      const setBy = `rule:${rule}`;
      if (!client || !psp || !alert || client.kind !== 'client') continue;
      if (client.holds.some((h) => h.setBy === setBy && inForce(h, at))) continue;
      const reason = stored`The rule ${rule}, version ${alert.ruleVersion ?? ''}, matched: ${alert.reason}`.slice(
        0,
        500,
      );
      const id = this.#s.ids.next();
      const hold = { ...{ id, code: holdCode, reason, blocking: true, from: at, until: null }, setBy };
      const changed = changedStanding(this.#s, byService, { account: client, psp }, { hold, reason, caseId }, now);
      // A closed account needs none, and one with a hundred holds no further one.
      if (changed instanceof Refusal) {
        this.#s.log.warn({ account, rule, code: changed.code }, 'a rule could not put a client on hold');
        continue;
      }
      this.#accounts.set(account, changed.account);
      holds.push(id);
      rows.push(...changed.rows);
    }
    return { holds, rows };
  }
}
