// A journal entry as people see it: who, what, about what and why. Sealed parts are marked as sealed.
import { accountChange, accountSteps } from '../../core/account-history.ts';
import { caseStep, caseSteps } from '../../core/cases/history.ts';
import { resourceWire } from '../../core/entry-resources.ts';
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import { publicData } from '../../core/public-standing.ts';
import { type ShownEntry, unknownSchema } from '../../entries/read.ts';
import type { JournalEntry } from '../../platform/journal-entries.ts';
import type { Viewer } from '../accounts/index.ts';
import { Named, Nullable, Type } from '../kernel/operation.ts';
import { actorNames } from './actor-names.ts';

export const Actor = Named('Actor', 'The key, person or process that did it.', {
  account: Type.String({ description: 'Account of the key or person.' }),
  by: Type.String({ description: '`key_…`, `usr_…`, `system`, or a login name.' }),
  name: Nullable(Type.String(), 'Name of the key or person, if the caller may see it.'),
});

export const Change = Named('FieldChange', 'A field that was changed.', {
  field: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
});

export const EntryResource = Named('JournalEntry', 'An entry of the journal: what happened, when, and who did it.', {
  eventId: Type.String(),
  pspId: Type.String(),
  seq: Type.Integer({ description: "Number in the PSP's journal." }),
  kind: Type.String({ description: 'Kind of event, for example `transaction.created`.' }),
  schema: Nullable(
    Type.String(),
    'Schema of `data` and `evidence`, such as `transaction.created/1`; null in entries of version 0.1.',
  ),
  at: Type.String(),
  actor: Actor,
  clientId: Type.String({ description: 'The account concerned.' }),
  resourceId: Nullable(Type.String(), 'Id of the record or resource.'),
  version: Type.Integer({ description: 'Counts the changes of the resource.' }),
  reason: Nullable(Type.String(), 'Reason, if one was given.'),
  step: Nullable(
    Type.Enum([...accountSteps, ...caseSteps]),
    'Step that a `client.updated` or a `case.updated` records; null for other kinds.',
  ),
  changes: Type.Array(Change, {
    description: 'Fields changed by a `client.updated`: `holds` as public codes, some as null.',
  }),
  personal: Nullable(Type.Literal('SEALED'), 'SEALED if the entry contains personal data, which is not shown.'),
  data: Type.Optional(
    Type.Unknown({ description: 'The resource after the change. With `expand=data`, as is `evidence`.' }),
  ),
  evidence: Type.Optional(Type.Unknown({ description: 'Further evidence for an auditor.' })),
});

export type NameOf = (by: string) => string | null;

/** Names of the actors of some entries. @param psp whose keys and people may be named; undefined for all */
export async function namesOf(
  db: Parameters<typeof actorNames>[0],
  psp: PspId | undefined,
  bodies: readonly ShownEntry[],
): Promise<NameOf> {
  const names = await actorNames(db, psp, [...new Set(bodies.map((b) => b.actor.by))]);
  return (by) => names.get(by) ?? null;
}

export const actorOf = (b: ShownEntry, named: NameOf) => ({ ...b.actor, name: named(b.actor.by) });

/**
 * An entry's body as this reader may see it. Only operators see an operator's reasons for acting on an account; the
 * journal itself keeps every word.
 */
export function readableBody(
  e: Pick<JournalEntry, 'kind' | 'psp' | 'body'>,
  b: ShownEntry,
  viewer: Viewer,
): ShownEntry {
  if (viewer === 'operator') return b;
  const { data: whole, evidence, ...rest } = b;
  // In an unknown schema, private parts cannot be recognised.
  if (unknownSchema(e.body) !== undefined) return rest;
  const data = publicData(e.kind, whole) as ShownEntry['data'];
  const { account, by } = b.actor;
  const own = by === 'system' || account.startsWith('cli_') || account === accountWire(e.psp, e.psp);
  const shown = { ...rest, ...(data === undefined ? {} : { data }) };
  return evidence === undefined || (e.kind.startsWith('client.') && !own) ? shown : { ...shown, evidence };
}

const textOf = (v: unknown): string | null => (typeof v === 'string' ? v : null);

/** @param before the previous entry about the same account, for a change of an account */
export function entryResource(
  e: JournalEntry,
  b: ShownEntry,
  named: NameOf,
  whole: boolean,
  before: ShownEntry | undefined = undefined,
) {
  const readable = unknownSchema(e.body) === undefined;
  const change =
    readable && e.kind === 'client.updated' && before
      ? accountChange(before.data ?? {}, b.data ?? {}, b.evidence)
      : undefined;
  return {
    eventId: toWire('event', e.id),
    pspId: toWire('psp', e.psp),
    seq: e.seq,
    kind: e.kind,
    schema: b.schema ?? null,
    at: b.timestamp,
    actor: actorOf(b, named),
    clientId: accountWire(e.psp, e.account),
    resourceId: resourceWire(e.kind, e.psp, e.resource),
    version: b.version,
    reason: textOf(b.evidence?.reason),
    step:
      change?.step ?? (readable && e.kind === 'case.updated' ? caseStep(b.evidence ?? {}, b.data ?? {}) : null) ?? null,
    changes: change?.changes ?? [],
    personal: b.sealed === undefined && b.alsoSealed === undefined ? null : ('SEALED' as const),
    ...(whole ? { data: b.data ?? null, evidence: b.evidence ?? null } : {}),
  };
}
