// Journal entries and rows in the form the committer takes.
import { type EventKind, eventKinds } from '../../core/events.ts';
import { type AccountId, accountWire, type PspId, toWire } from '../../core/ids.ts';
import { type Content, type WrittenSchema, writtenSchema } from '../../entries/index.ts';
import type { ColumnsToWrite, WriteName } from '../../records/index.ts';
import type { Needs, Principal } from './needs.ts';

interface Head<K extends EventKind> {
  readonly kind: K;
  readonly psp: PspId;
  readonly account: AccountId;
  readonly resourceId: string;
  /** Counts the resource's entries. */
  readonly version: number;
  /** Personal data, sealed under the subject's key. */
  readonly sealed?: string | null;
  readonly subject?: string | null;
  /** The same for further persons. */
  readonly alsoSealed?: readonly SealedText[];
}

interface SealedText {
  readonly sealed: string;
  readonly subject: string;
}

/**
 * What happened: `data` is the full resource after the change, without readable personal data; `evidence`, if the kind
 * has any, is what an auditor also needs. The kind's schema in `entries/` defines both.
 */
export type Entry<K extends EventKind = EventKind> = K extends EventKind ? Head<K> & Content<WrittenSchema<K>> : never;

/** The parts of an entry that its record has. Of a record without versions there is one entry. */
export const about = (r: {
  readonly psp: PspId;
  readonly account: AccountId;
  readonly id: string;
  readonly version?: number;
}) => ({ psp: r.psp, account: r.account, resourceId: r.id, version: r.version ?? 1 });

/** The same of an account. */
export const aboutAccount = (a: { readonly psp: PspId; readonly id: AccountId; readonly version: number }) =>
  about({ ...a, account: a.id });

/**
 * A journal row: the entry's body is exactly what is stored, hashed and published. The schema comes first
 * (entries/read.ts).
 */
export function journalRow<K extends EventKind>(
  s: Needs<'ids'>,
  principal: Principal,
  at: string,
  e: Entry<K>,
): readonly ['journal', ColumnsToWrite<'journal'>] {
  const id = s.ids.next();
  const event = eventKinds[e.kind];
  // Staff acting as a PSP remain the actors.
  const owner = principal.staff ?? principal;
  const { evidence } = e as { evidence?: unknown };
  const body = JSON.stringify({
    schema: writtenSchema[e.kind],
    id: toWire('event', id),
    type: e.kind,
    ...(event ? { event } : {}),
    timestamp: at,
    actor: { account: accountWire(owner.psp, owner.account), by: principal.actor },
    clientId: accountWire(e.psp, e.account),
    version: e.version,
    data: e.data,
    ...(evidence === undefined ? {} : { evidence }),
    ...(e.sealed ? { sealed: e.sealed, subject: e.subject } : {}),
    ...(e.alsoSealed?.length ? { alsoSealed: e.alsoSealed } : {}),
  });
  return [
    'journal',
    { psp_id: e.psp, seq: 0, id, kind: e.kind, account_id: e.account, resource_id: e.resourceId, body },
  ];
}

/** A row to write, with its name. */
export const row = <N extends WriteName>(name: N, columns: ColumnsToWrite<N>): readonly [N, ColumnsToWrite<N>] => [
  name,
  columns,
];
