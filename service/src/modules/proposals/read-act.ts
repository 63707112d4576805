// Reads a proposed operator, key of an operator, authority or erasure from a request: its subject, and what is compared when it is made.
import { toWire } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import { operatorKeyText, operatorText, type ProposedKey } from '../accounts/index.ts';
import { type ProposedAuthority, readProposedAuthority } from '../authorities/index.ts';
import { idAsked } from '../kernel/asked.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import type { ApprovedAct } from '../kernel/second-person.ts';
import { proposedErasure } from '../subjects/index.ts';
import { expectPossible } from './proposed-acts.ts';

export interface ActAsked {
  readonly operator?: { readonly name: string };
  readonly operatorKey?: ProposedKey;
  readonly authority?: ProposedAuthority;
  readonly erasure?: { readonly pspId?: string; readonly subjects: readonly string[] };
}

type ProposedAct = ApprovedAct & { readonly subject: string };

/** Undefined if it is no such act. @throws FIELD_INVALID, NOT_FOUND, STATE_CONFLICT */
export async function readAct(
  s: Needs<'db' | 'vault' | 'subjects' | 'reference'>,
  call: Pick<Call, 'principal' | 'now'>,
  { operator, operatorKey, authority, erasure }: ActAsked,
): Promise<ProposedAct | undefined> {
  if (operator) return { kind: 'OPERATOR', subject: operator.name.trim(), content: operatorText(operator.name) };
  if (erasure) return { kind: 'ERASURE', ...(await proposedErasure(s, call, erasure)) };
  if (authority) return { kind: 'AUTHORITY', ...(await readProposedAuthority(s, authority)) };
  if (!operatorKey) return undefined;
  const id = idAsked('psp', operatorKey.accountId);
  const accountId = toWire('psp', id);
  const content = operatorKeyText({ ...operatorKey, accountId });
  await expectPossible(s.db, { kind: 'OPERATOR_KEY', content });
  return { kind: 'OPERATOR_KEY', subject: `${accountId} ${operatorKey.name}`, content };
}

const fields = [
  'country',
  'fee',
  'feeEnd',
  'correction',
  'risk',
  'level',
  'operator',
  'operatorKey',
  'authority',
  'erasure',
] as const;

/** @throws FIELD_INVALID */
export function expectOne(body: { readonly [F in (typeof fields)[number]]?: unknown }): void {
  if (fields.filter((f) => body[f] !== undefined).length === 1) return;
  const named = fields.map((f) => `'${f}'`);
  throw refuse(
    'FIELD_INVALID',
    said`a proposal has one of the fields ${named.slice(0, -1).join(', ')} and ${named.at(-1)}`,
  );
}
