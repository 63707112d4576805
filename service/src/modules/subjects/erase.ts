// Erases a person, and lists what is stored about one: keys are destroyed, rejected file lines that name the person are
// dropped, and the journal records who did it, when and why. Records stay, and so does every hash.
import { accountWire, fromWire, type PspId, toWire } from '../../core/ids.ts';
import { notFound, refuse } from '../../core/refusal.ts';
import { findAnyAccount } from '../accounts/index.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { withRaisedEpoch } from '../kernel/raised-epoch.ts';
import { recordIn } from '../kernel/record-in.ts';
import { dropRaw, linesAbout } from '../telecom/index.ts';
import { expectNotHeld, findHeld, type Held, lookedThrough } from './held.ts';
import { readIdentities } from './identity.ts';
import { countKept, type Kept, keptKinds, lockKeys, subjectsPaidAt } from './subject-store.ts';

export type Asking = Pick<Call, 'principal' | 'now'>;

export interface Named {
  /** The PSP, in an operator's call. */
  readonly pspId?: string | undefined;
  readonly subjects: readonly string[];
}

interface Meant {
  readonly psp: PspId;
  readonly subjects: readonly string[];
  readonly numbers: readonly string[];
}

/** @throws FIELD_INVALID, NOT_FOUND */
export async function pspOf(s: Needs<'db'>, { principal }: Pick<Asking, 'principal'>, named: Named): Promise<PspId> {
  if (principal.kind === 'operator') {
    if (named.pspId === undefined)
      throw refuse('FIELD_INVALID', "the field 'pspId' must be given with an operator's key");
    const id = fromWire('psp', named.pspId);
    if (!id || (await findAnyAccount(s.db, id))?.kind !== 'psp') throw notFound();
    return id;
  }
  if (named.pspId !== undefined)
    throw refuse('FIELD_INVALID', "the field 'pspId' is for an operator's key; a PSP's key means its own PSP");
  return principal.psp;
}

/** @throws FIELD_INVALID, NOT_FOUND */
async function meant(s: Needs<'db' | 'vault' | 'subjects'>, call: Asking, named: Named): Promise<Meant> {
  const psp = await pspOf(s, call, named);
  const identities = readIdentities(s, psp, named.subjects);
  const paid = await subjectsPaidAt(
    s.db,
    psp,
    identities.flatMap((i) => i.address ?? []),
  );
  return {
    psp,
    subjects: [...new Set([...identities.flatMap((i) => i.subjects), ...paid])].sort(),
    numbers: identities.flatMap((i) => i.number ?? []),
  };
}

interface Found {
  readonly kind: string;
  readonly readable: number;
  readonly erased: number;
}

export interface Stored {
  readonly items: readonly Found[];
  /** What an erasure would be refused for. */
  readonly heldBy: Held | null;
}

/** What is stored about a person, counted by kind, and whether it may be erased; no data is returned. */
export async function find(s: Needs<'db' | 'vault' | 'subjects'>, call: Asking, named: Named): Promise<Stored> {
  const who = await meant(s, call, named);
  const read = await lookedThrough(s.db, who.psp);
  const kept = await countKept(s.db, who.psp, who.subjects);
  const lines: Kept = { readable: (await linesAbout(s, who.psp, who.numbers)).length, erased: 0 };
  return {
    items: [...keptKinds.map((kind) => ({ kind, ...kept[kind] })), { kind: 'rejectedLines', ...lines }],
    heldBy: (await findHeld(s.db, who.psp, who.subjects, call.now, read)) ?? null,
  };
}

export interface Erasure {
  /** Null if there was nothing to erase. */
  readonly erasureId: string | null;
  /** Number of keys destroyed. */
  readonly keys: number;
  /** Number of rejected call detail lines dropped. */
  readonly rejectedLines: number;
}

/** Erases a person. In force for every reader once this resolves; a repeat finds nothing left to do. */
export async function erase(
  s: Needs<'ids' | 'db' | 'committer' | 'vault' | 'subjects'>,
  call: Asking,
  named: Named,
  reason: string,
): Promise<Erasure> {
  const { principal } = call;
  const who = await meant(s, call, named);
  const at = new Date(call.now).toISOString();
  // Lines must be decrypted to be searched, which is slow for many: nothing is locked meanwhile.
  const lines = await linesAbout(s, who.psp, who.numbers);
  const read = await lookedThrough(s.db, who.psp);
  const id = s.ids.next();
  const { keys, rejectedLines } = await withRaisedEpoch(s.db, who.psp, async (tx, raised) => {
    await expectNotHeld(tx, who.psp, who.subjects, call.now, read);
    const { destroyed, rows } = await lockKeys(tx, raised, who.psp, who.subjects, at);
    const rejectedLines = await dropRaw(tx, who.psp, lines);
    if (destroyed.length === 0 && rejectedLines === 0) return { keys: 0, rejectedLines };
    const entry = journalRow(s, principal, at, {
      kind: 'subject.erased',
      psp: who.psp,
      account: who.psp,
      resourceId: id,
      version: 1,
      data: {
        erasureId: toWire('erasure', id),
        pspId: accountWire(who.psp, who.psp),
        subjects: destroyed,
        rejectedLines,
      },
      evidence: { reason },
    });
    await recordIn(tx, s, { rows: [...rows, entry] });
    return { keys: destroyed.length, rejectedLines };
  });
  await s.subjects.refresh(s.db);
  return { erasureId: keys + rejectedLines > 0 ? toWire('erasure', id) : null, keys, rejectedLines };
}
