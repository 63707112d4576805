// The resource of a journal entry: the kind of its id, and whether it records business or an action of people or the
// service.
import { type EventKind, eventKinds } from './events.ts';
import { accountWire, type IdKind, idPrefixes, type PspId, toWire } from './ids.ts';

/**
 * Entry kinds whose resource kind differs from their first word. `account`: a client or a PSP. Null: the id exists only
 * in the journal.
 */
const named: Readonly<Partial<Record<EventKind, IdKind | 'account' | null>>> = {
  'chargeback.netted': 'netting',
  'chargeback.netting_released': 'netting',
  'cdr.file_portion': 'cdrFile',
  'cdr.file_completed': 'cdrFile',
  'cdr.lines_written_off': 'cdrFile',
  'cdr.lines_withdrawn': 'cdrFile',
  'cdr.period_closed': null,
  'cdr.declared': 'declaration',
  'rates.changed': 'account',
  'asset.added': 'account',
  'audit_key.rotated': 'account',
  'risk_rules.changed': 'account',
  'risk_policy.changed': 'account',
  'tax.adjusted': 'adjustment',
  'exchange_rates.loaded': 'exchangeLoad',
  'list.loaded': 'listLoad',
  'return.filed': 'filing',
  'player_policy.set': 'account',
  'subject.erased': 'erasure',
  'authority.set': 'account',
  'authority.read': null,
};

function resourceOf(kind: string): IdKind | 'account' | null {
  if (!(kind in eventKinds)) return null;
  const special = named[kind as EventKind];
  if (special !== undefined) return special;
  const noun = (kind.split('.')[0] as string).replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return noun === 'client' ? 'account' : noun in idPrefixes ? (noun as IdKind) : null;
}

/** The wire id of an entry's resource. */
export function resourceWire(kind: string, psp: PspId, resource: string): string | null {
  const of = resourceOf(kind);
  if (of === null) return null;
  return of === 'account' ? accountWire(psp, resource) : toWire(of, resource);
}

/** High-volume kinds: each is about a record that has a list of its own. */
export const recordKinds: readonly EventKind[] = [
  'transaction.created',
  'transaction.updated',
  'basket.created',
  'basket.updated',
  'wager.created',
  'payout.created',
  'chargeback.created',
  'cdr.recorded',
  'cdr.file_portion',
];

const all = Object.keys(eventKinds) as EventKind[];

/** Entry kinds by full name, or all of a noun: `client`. Undefined if there is none. */
export function kindsNamed(name: string): readonly EventKind[] | undefined {
  const named = all.filter((k) => k === name || k.startsWith(`${name}.`));
  return named.length > 0 ? named : undefined;
}
