// Cases: the resource as returned, published and journalled, what is in one, and the entries about it.
import { caseItemKinds, caseStates } from '../core/cases/case.ts';
import { reviewOutcomes, severities } from '../core/risk/review.ts';
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';

export const CaseResource = Named('Case', 'Alerts of one client or person that are worked on together.', {
  caseId: Type.String({ description: 'Id of the case, `cas_…`.' }),
  pspId: Type.String(),
  clientId: Type.String(),
  number: Type.Integer({ description: "Counts the PSP's cases." }),
  aboutPerson: Type.Boolean({ description: "True if it gathers a person's alerts, false if the client's." }),
  severity: Type.Enum(severities, { description: 'Severity: the highest of its alerts.' }),
  state: Type.Enum(caseStates),
  queue: Type.String({ description: 'Name of the queue it is in.' }),
  assignee: Nullable(Type.String(), 'Person or key it is assigned to; null if unassigned.'),
  dueAt: Type.String({ description: 'Until when it is to be closed, ISO 8601 UTC.' }),
  outcome: Nullable(Type.Enum(reviewOutcomes), 'CLEARED: nothing is wrong. CONFIRMED: something is.'),
  proposed: Nullable(
    Named('CaseProposal', 'A proposal that a second person approves or rejects.', {
      action: Type.Enum(['CLOSE', 'RELEASE'], {
        description: 'Close the case, or end a hold of the client or of a wallet.',
      }),
      outcome: Nullable(Type.Enum(reviewOutcomes), 'The outcome, of a CLOSE.'),
      holdId: Nullable(Type.String(), 'The hold, of a RELEASE.'),
      by: Type.String(),
      at: Type.String(),
    }),
    'The proposal that a second person decides; null if there is none.',
  ),
  alerts: Type.Integer({ description: 'Number of alerts.' }),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  closedAt: Nullable(Type.String(), 'When it was closed; null before.'),
});

const CaseItemAdded = Named('CaseItemAdded', 'An item that was put into a case.', {
  itemId: Type.String({ description: 'Id of the item, `cit_…`.' }),
  kind: Type.Enum(caseItemKinds),
  about: Nullable(Type.String(), 'The alert, record or case it is about.'),
  step: Type.Optional(Type.String({ description: 'The step that a note explains.' })),
  action: Type.Optional(Type.String({ description: 'The action that was taken.' })),
  holdId: Type.Optional(Type.String({ description: 'The hold it was done to, `hld_…`, or `whd_…` of a wallet.' })),
  sentOn: Type.Optional(Type.String({ description: 'Day on which a report was sent.' })),
  type: Type.Optional(Type.String({ description: 'Media type of a file.' })),
  size: Type.Optional(Type.Integer({ description: 'Bytes of a file.' })),
  sha256: Type.Optional(Type.String({ description: 'SHA-256 of a file.' })),
});

const CaseEvidence = Named(
  'CaseEvidence',
  'The step that was taken in a case. Texts that may name people are not in it.',
  {
    step: Type.String({ description: 'The step that was taken.' }),
    items: Type.Array(CaseItemAdded, { description: 'The items that were put into it.' }),
  },
);

export const caseEntries = {
  'case.opened/1': entry('Alerts opened a case.', { data: CaseResource, evidence: CaseEvidence }),
  'case.updated/1': entry('Something was done in a case.', { data: CaseResource, evidence: CaseEvidence }),
};
