// The case that a request names, for those who may see it, and what the operations on one share.
import type { Case } from '../../core/cases/case.ts';
import type { CasePolicy } from '../../core/cases/policy.ts';
import { notFound } from '../../core/refusal.ts';
import { reviewers } from '../../core/roles.ts';
import { recordAsked } from '../kernel/asked.ts';
import { type Call, type Needs, Prose } from '../kernel/operation.ts';
import { CaseResource } from './case-resource.ts';
import { findCase } from './case-store.ts';

export const CaseNote = Prose('The note. It is sealed: it may name people.', 4000);

/** The case a call names, if the caller may see it. @throws NOT_FOUND */
export async function caseAsked(
  s: Needs<'db'>,
  call: Pick<Call, 'principal' | 'params' | 'onBehalfOf'>,
): Promise<Case> {
  const { principal, onBehalfOf } = call;
  const found = await recordAsked('case', call.params.caseId, (id) =>
    findCase(s.db, principal.kind === 'operator' ? undefined : principal.psp, id),
  );
  if (onBehalfOf !== undefined && found.account !== onBehalfOf) throw notFound();
  return found;
}

export const policyOf = (s: Needs<'settings'>): CasePolicy => s.settings.cases;

/** What every operation declares that changes a case and answers with it. */
export const caseChange = {
  method: 'POST',
  tag: 'Cases',
  audience: ['psp', 'operator'],
  roles: reviewers,
  content: CaseResource,
} as const;
