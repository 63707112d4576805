// Journal entries and rows as the committer takes them.
import { type EventKind, eventKinds } from '../../core/events.ts';
import { toWire } from '../../core/ids.ts';
import { accountWire } from '../../core/transaction.ts';
import type { Table } from '../../platform/committer.ts';
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
export function journalRow(s: Services, principal: Principal, at: string, e: Entry): readonly [Table, string] {
  const id = s.ids.next();
  const event = eventKinds[e.kind];
  const body = JSON.stringify({
    id: toWire('event', id),
    type: e.kind,
    ...(event ? { event } : {}),
    timestamp: at,
    actor: { account: accountWire(principal.psp, principal.account), by: principal.actor },
    clientId: accountWire(e.psp, e.account),
    version: e.version,
    data: e.data,
    ...(e.evidence === undefined ? {} : { evidence: e.evidence }),
    ...(e.sealed ? { sealed: e.sealed, subject: e.subject } : {}),
  });
  return [
    'journal',
    `{"psp_id":"${e.psp}","id":"${id}","kind":"${e.kind}","account_id":"${e.account}","resource_id":"${e.resourceId}","body":${body}}`,
  ];
}

/** A table row as JSON text: plain columns, then columns that hold JSON already written as text. */
export function row(
  table: Table,
  columns: Readonly<Record<string, unknown>>,
  json: Readonly<Record<string, string>> = {},
): readonly [Table, string] {
  let text = JSON.stringify(columns).slice(0, -1);
  for (const [name, value] of Object.entries(json)) text += `,"${name}":${value}`;
  return [table, `${text}}`];
}
