// Puts clients and wallets on hold by rules that their PSP switched on for it: within the commit of the case that the alert
// joins, so once. The hold is private and ends as any other from a case does; a rule places no second one while its first lasts.
import { type AccountId, accountWire, fromWire, type PspId, type TransactionId, toWire } from '../../core/ids.ts';
import { Refusal, stored } from '../../core/refusal.ts';
import type { Review } from '../../core/risk/review.ts';
import type { RiskAction } from '../../core/risk/rule.ts';
import { inForce } from '../../core/standing.ts';
import { isHeldBy, type WalletHold } from '../../core/wallets/wallet-hold.ts';
import type { Row } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { type Account, changedStanding, type HasAccounts, ruleHold } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { type Principal, system } from '../kernel/principal.ts';
import { raisedEpoch } from '../kernel/raised-epoch.ts';
import type { HasRiskBook } from '../risk/index.ts';
import { walletsOf } from '../search/index.ts';
import { holdsOfWallet, newWalletHold, walletHoldRows } from '../wallets/index.ts';

/** What is done by rules, in cases and journal. */
export const byService: Principal = { ...system, actor: 'rule' };

type Uses = Needs<'settings' | 'clock' | 'ids' | 'log'> & HasAccounts & HasRiskBook;

export interface HeldByRules {
  /** As on the wire: the holds, and what each concerns. */
  readonly holds: readonly { readonly action: string; readonly holdId: string; readonly about: string }[];
  readonly rows: readonly Row[];
}

/** The wallets of alerts, and their holds after those placed so far. */
interface HeldWallets {
  /** By transaction. */
  readonly named: ReadonlyMap<string, string>;
  readonly holds: Map<string, readonly WalletHold[]>;
  /** Makes payments on what was before fail; to be written once. */
  raised: Row | undefined;
}
const noWallets: HeldWallets = { named: new Map(), holds: new Map(), raised: undefined };

export class HoldsByRules {
  readonly #s: Uses;
  readonly #psp: PspId;
  readonly #holding: ReadonlyMap<string, RiskAction>;
  /** As they are after the holds placed so far. */
  readonly #accounts: Map<string, Account>;
  readonly #wallets: HeldWallets;

  private constructor(s: Uses, psp: PspId, accounts: Map<string, Account>, wallets: HeldWallets) {
    this.#s = s;
    this.#psp = psp;
    this.#holding = s.riskBook.inForce.holding.get(psp) ?? new Map();
    this.#accounts = accounts;
    this.#wallets = wallets;
  }

  /** Reads the accounts and wallets of alerts, where the PSP has switched on a rule that holds. First in its transaction. */
  static async read(s: Uses, tx: Database, psp: PspId, alerts: readonly Review[]): Promise<HoldsByRules> {
    const holding = s.riskBook.inForce.holding.get(psp);
    const ids = alerts.filter((a) => holding?.get(a.rule) === 'hold' && a.account !== psp).map((a) => a.account);
    const found =
      ids.length === 0
        ? []
        : await s.accounts.load(
            tx,
            [...new Set([...ids, psp])].map((id) => ({ psp, id })),
          );
    const paid = alerts.filter((a) => holding?.get(a.rule) === 'holdWallet').flatMap((a) => a.transaction ?? []);
    const wallets = paid.length === 0 ? noWallets : await readWallets(tx, psp, paid);
    return new HoldsByRules(s, psp, new Map([...found].map(([, a]) => [a.id, a])), wallets);
  }

  /** @param caseId of the case that the alerts are in, as on the wire */
  place(account: AccountId, alerts: readonly Review[], caseId: string): HeldByRules {
    const now = this.#s.clock();
    const at = new Date(now).toISOString();
    const { holds, rows } =
      this.#wallets === noWallets ? { holds: [], rows: [] } : this.#placeOnWallets(alerts, caseId, at);
    const holding = alerts.filter((a) => this.#holding.get(a.rule) === 'hold');
    for (const rule of new Set(holding.map((a) => a.rule))) {
      const [client, psp] = [this.#accounts.get(account), this.#accounts.get(this.#psp)];
      const alert = alerts.find((a) => a.rule === rule);
      const setBy = `rule:${rule}`;
      if (!client || !psp || !alert || client.kind !== 'client') continue;
      if (client.holds.some((h) => h.setBy === setBy && inForce(h, at))) continue;
      const reason = reasonOf(alert);
      const id = this.#s.ids.next();
      const hold = { ...{ id, code: ruleHold, reason, blocking: true, from: at, until: null }, setBy };
      const changed = changedStanding(this.#s, byService, { account: client, psp }, { hold, reason, caseId }, now);
      // A closed account needs none, and one with a hundred holds no further one.
      if (changed instanceof Refusal) {
        this.#s.log.warn({ account, rule, code: changed.code }, 'a rule could not put a client on hold');
        continue;
      }
      this.#accounts.set(account, changed.account);
      const about = accountWire(client.psp, client.id);
      holds.push({ action: 'HOLD', holdId: toWire('hold', id), about });
      rows.push(...changed.rows);
    }
    return { holds, rows };
  }

  #placeOnWallets(alerts: readonly Review[], caseId: string, at: string): { holds: Held[]; rows: Row[] } {
    const { named, holds: known } = this.#wallets;
    const holds: Held[] = [];
    const rows: Row[] = [];
    for (const alert of alerts) {
      if (this.#holding.get(alert.rule) !== 'holdWallet' || alert.transaction === null) continue;
      const wallet = named.get(alert.transaction);
      if (wallet === undefined) continue;
      const setBy = `rule:${alert.rule}`;
      const before = known.get(wallet) ?? [];
      if (before.some((h) => h.setBy === setBy && isHeldBy(h, at))) continue;
      const reason = reasonOf(alert);
      const of = { psp: this.#psp, wallet, transaction: alert.transaction, caseId: fromWire('case', caseId) ?? null };
      const hold = newWalletHold(this.#s, at, { ...of, reason, setBy });
      known.set(wallet, [...before, hold]);
      const about = toWire('transaction', alert.transaction);
      holds.push({ action: 'HOLD_WALLET', holdId: toWire('walletHold', hold.id), about });
      rows.push(...walletHoldRows(this.#s, byService, hold, reason));
    }
    if (rows.length > 0 && this.#wallets.raised) {
      rows.push(this.#wallets.raised);
      this.#wallets.raised = undefined;
    }
    return { holds, rows };
  }
}

type Held = HeldByRules['holds'][number];

const reasonOf = (a: Review): string =>
  stored`The rule ${a.rule}, version ${a.ruleVersion ?? ''}, matched: ${a.reason}`.slice(0, 500);

async function readWallets(tx: Database, psp: PspId, transactions: readonly TransactionId[]): Promise<HeldWallets> {
  const raised = await raisedEpoch(tx, psp);
  const named = await walletsOf(tx, psp, transactions);
  const keys = [...new Set(named.values())].map((wallet) => ({ psp, wallet }));
  const found = keys.length === 0 ? new Map() : await holdsOfWallet.load(tx, keys);
  return { named, raised, holds: new Map(keys.map((k) => [k.wallet, found.get(holdsOfWallet.text(k))?.holds ?? []])) };
}
