// Journal entries and rows as the committer takes them.
import { type EventKind, eventKinds } from '../../core/events.ts';
import { toWire } from '../../core/ids.ts';
import { accountWire } from '../../core/transaction.ts';
import type { ColumnsToWrite, WriteName } from '../../records/index.ts';
import type { Principal, Services } from './services.ts';

export interface Entry {
  readonly kind: EventKind;
  readonly psp: string;
  readonly account: string;
  readonly resourceId: string;
  /** Counts per resource. */
  readonly version: number;
  /** The full resource after the change, without personal data in clear. */
  readonly data: unknown;
  /** Personal data, sealed under the subject's key. */
  readonly sealed?: string | null;
  readonly subject?: string | null;
  /** Further facts an auditor needs (tax evidence, reason of a staff action). */
  readonly evidence?: unknown;
}

/** A journal row: the entry's body is exactly what is stored, hashed and told. */
export function journalRow(
  s: Services,
  principal: Principal,
  at: string,
  e: Entry,
): readonly ['journal', ColumnsToWrite<'journal'>] {
  const id = s.ids.next();
  const event = eventKinds[e.kind];
  // Staff who act as a PSP remain who they are.
  const owner = principal.staff ?? principal;
  const body = JSON.stringify({
    id: toWire('event', id),
    type: e.kind,
    ...(event ? { event } : {}),
    timestamp: at,
    actor: { account: accountWire(owner.psp, owner.account), by: principal.actor },
    clientId: accountWire(e.psp, e.account),
    version: e.version,
    data: e.data,
    ...(e.evidence === undefined ? {} : { evidence: e.evidence }),
    ...(e.sealed ? { sealed: e.sealed, subject: e.subject } : {}),
  });
  return [
    'journal',
    { psp_id: e.psp, seq: 0, id, kind: e.kind, account_id: e.account, resource_id: e.resourceId, body },
  ];
}

/** A row to be written under its name. */
export const row = <N extends WriteName>(name: N, columns: ColumnsToWrite<N>): readonly [N, ColumnsToWrite<N>] => [
  name,
  columns,
];
