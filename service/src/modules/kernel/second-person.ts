// Acts that one person may not do alone: proposed, approved by another, then done once by the one who proposed them, so that a
// key is shown to one person only. What is approved is kept by the module of proposals.
import { refuse, said } from '../../core/refusal.ts';
import { type Call, Id, type Needs, Type } from './operation.ts';

export interface ApprovedAct {
  readonly kind: 'OPERATOR' | 'OPERATOR_KEY' | 'AUTHORITY' | 'ERASURE';
  /** What was proposed, as canonical text. */
  readonly content: string;
}

export interface TakesApproved {
  /** Uses up an approval. @throws NOT_FOUND, STATE_CONFLICT, TWO_PERSONS */
  readonly takeApproved: (call: Pick<Call, 'principal' | 'now'>, proposalId: string, act: ApprovedAct) => Promise<void>;
}

/** The field that names the approval. */
export const ApprovedBy = Type.Optional(Id('The approved proposal of this; needed where two people are required.'));

const settingOf = {
  OPERATOR: 'operator-keys',
  OPERATOR_KEY: 'operator-keys',
  AUTHORITY: 'authorities',
  ERASURE: 'erasure',
} as const;

const proposed = {
  OPERATOR: said`an operator is created`,
  OPERATOR_KEY: said`an operator's key is issued`,
  AUTHORITY: said`an authority is let in, or what it sees is changed,`,
  ERASURE: said`a person is erased`,
} as const;

/** Whether a second person is required for an act. */
export const needTwoFor = (s: Needs<'settings'>, kind: ApprovedAct['kind']): boolean =>
  s.settings.requireTwoPersons.includes(settingOf[kind]);

/** @throws TWO_PERSONS without the approval that the settings require, and what takeApproved throws */
export async function expectSecondPerson(
  s: Needs<'settings'> & TakesApproved,
  call: Pick<Call, 'principal' | 'now'>,
  proposalId: string | undefined,
  act: ApprovedAct,
): Promise<void> {
  if (proposalId !== undefined) return s.takeApproved(call, proposalId, act);
  if (!needTwoFor(s, act.kind)) return;
  throw refuse(
    'TWO_PERSONS',
    said`${proposed[act.kind]} after another person has approved it: propose it (POST /v1/admin/proposal), and repeat this with its proposalId; REQUIRE_TWO_PERSONS asks for it`,
  );
}
