// Checks exclusions and limits of the player in the decision on a deposit or wager. Where the PSP enforces them, it is
// decided exactly: no two acts at once are decided on the same sum, and none on restrictions that changed meanwhile.
import { isoTime } from '../../core/calendar.ts';
import type { AccountId, PspId } from '../../core/ids.ts';
import {
  amountAt,
  appliesTo,
  exceeds,
  excludedFinding,
  isLimit,
  isRestricting,
  limitFinding,
  limitsOn,
  type PlayerAct,
  type PlayerFinding,
  type ProtectionMode,
  periodStart,
  type Restriction,
} from '../../core/players/restriction.ts';
import type { LimitKind, LimitPeriod, LimitRule } from '../../core/players/rule.ts';
import { type Facts, type Need, need, type RefKey, type Writes } from '../../platform/committer.ts';
import { loadPlayerRules } from '../../platform/data-files.ts';
import type { Needs } from '../kernel/needs.ts';
import { timeZoneOf } from '../kernel/report-period.ts';
import { customerHashes } from './identity.ts';
import { type Protection, protectionOf } from './player-store.ts';
import { gatesOf, type Used, type UsedKey, usedOf } from './player-sums.ts';

export interface PlayerCall {
  readonly psp: PspId;
  readonly act: PlayerAct;
  readonly customer: { readonly email: string; readonly phoneNumber?: string | undefined };
  /** Country of the record, ISO 3166-1 alpha-2. */
  readonly country: string | undefined;
  readonly now: number;
}

/** The act, as far as limits depend on it. */
export interface PlayerMove {
  readonly account: AccountId;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** Country of the record. */
  readonly country: string;
  /** Its calendar date there. */
  readonly date: string;
}

interface Limit {
  readonly mode: ProtectionMode;
  readonly kind: LimitKind;
  readonly period: LimitPeriod;
  readonly amount: string;
  readonly currency: string;
  readonly used: Need<Used>;
  readonly key: UsedKey;
}

export interface PlayerVerdict {
  readonly findings: readonly PlayerFinding[];
  /** The first that the PSP enforces. */
  readonly refused: PlayerFinding | undefined;
  /** What the decision rests on. */
  readonly expects: { readonly erasures: NonNullable<Writes['erasures']> };
  /** The gates of the limits it was checked against; an act that counts holds them. */
  readonly gates: NonNullable<Writes['refsHeld']>;
}

const nothing: PlayerVerdict = {
  findings: [],
  refused: undefined,
  expects: { erasures: [] },
  gates: [],
};

export interface PlayerCheck {
  readonly needs: readonly Need<unknown>[];
  further(facts: Facts, move: PlayerMove): readonly Need<unknown>[];
  decide(facts: Facts, move: PlayerMove): PlayerVerdict;
}

export function checkPlayer(s: Needs<'subjects' | 'reference' | 'rates'>, call: PlayerCall): PlayerCheck {
  const { psp, act, now } = call;
  const at = isoTime(now);
  const hashes = customerHashes(s, psp, call.customer, call.country);
  const protection = need(protectionOf, { psp, hashes });
  const limits = (p: Protection, move: PlayerMove) => limitsFor(s, call, hashes, p, move);
  return {
    needs: [protection],
    further(facts, move) {
      const p = facts(protection);
      return p ? limits(p, move).map((l) => l.used) : [];
    },
    decide(facts, move) {
      const p = facts(protection);
      if (!p) return nothing;
      const { exclusions } = p.policy;
      const excluded =
        exclusions !== 'OFF' &&
        p.restrictions.some((r) => r.kind === 'EXCLUSION' && appliesTo(r, move.account) && isRestricting(r, at));
      const findings = excluded ? [excludedFinding(act, exclusions === 'ENFORCE')] : [];
      const held = new Map<string, RefKey & { revision: number }>();
      for (const l of limits(p, move)) {
        const used = facts(l.used) ?? { sum: '0', revisions: [] };
        if (exceeds(used.sum, move.amount, l.amount)) findings.push(limitFinding(act, l.mode === 'ENFORCE', l));
        // Two limits may share a gate.
        if (l.mode === 'ENFORCE')
          for (const [i, gate] of gatesOf(l.key).entries())
            held.set(gate.ref, { ...gate, revision: used.revisions[i] ?? 0 });
      }
      return {
        findings,
        refused: findings.find((f) => f.enforced),
        expects: { erasures: [{ psp, epoch: p.epoch }] },
        gates: [...held.values()],
      };
    },
  };
}

function limitsFor(
  s: Needs<'reference' | 'rates'>,
  { psp, act, now }: PlayerCall,
  hashes: readonly string[],
  p: Protection,
  move: PlayerMove,
): Limit[] {
  const at = isoTime(now);
  const kinds: readonly string[] = limitsOn[act];
  const made = (
    mode: ProtectionMode,
    l: { kind: LimitKind; period: LimitPeriod; amount: string; currency: string },
    of: Pick<UsedKey, 'gates' | 'hashes' | 'account'> & { readonly country: string | null },
  ): Limit => {
    const from = isoTime(periodStart(l.period, timeZoneOf(s, of.country), now));
    const { gates, account } = of;
    const key = { psp, kind: l.kind, gates, hashes: of.hashes, from, currency: l.currency, account };
    return { mode, ...l, key, used: need(usedOf, key) };
  };
  const own = p.restrictions
    .filter(isLimit)
    .filter(
      (r) =>
        kinds.includes(r.kind) && r.currency === move.currency && appliesTo(r, move.account) && isRestricting(r, at),
    );
  const ofPlayer =
    p.policy.limits === 'OFF'
      ? []
      : own.map((r) =>
          made(
            p.policy.limits,
            { kind: r.kind, period: r.period, amount: amountAt(r, at), currency: r.currency },
            {
              gates: [r.id],
              hashes: r.subjects,
              account: r.account === psp ? undefined : r.account,
              country: r.country,
            },
          ),
        );
  if (p.policy.countryLimits === 'OFF') return ofPlayer;
  const ofCountry = loadPlayerRules()
    .limits(move.country, move.date)
    .filter((r) => kinds.includes(r.limit) && r.currency === move.currency)
    // A limit of the player's own takes the place of one that may be raised.
    .filter((r) => !(r.raisable && ofPlayer.length > 0 && own.some((o) => replaces(o, r))))
    .map((r) =>
      made(
        p.policy.countryLimits,
        { kind: r.limit, period: r.period, amount: r.amount, currency: r.currency },
        {
          gates: hashes.map((hash) => [r.id, ...(r.perOperator ? [move.account] : []), hash].join(':')),
          hashes,
          account: r.perOperator ? move.account : undefined,
          country: move.country,
        },
      ),
    );
  return [...ofPlayer, ...ofCountry];
}

const replaces = (own: Restriction, r: LimitRule): boolean =>
  own.kind === r.limit && own.period === r.period && (r.perOperator || own.account === own.psp);
