// A case and what is in it, as returned and journalled.
import type { Case } from '../../core/cases/case.ts';
import { accountWire, toWire } from '../../core/ids.ts';
import { CaseResource } from '../../entries/cases.ts';
import { Extended, Named, Nullable, resourceOf, Type } from '../../entries/schema.ts';
import { ListedReview } from '../reviews/index.ts';
import type { CaseItem } from './case-store.ts';

export { CaseResource } from '../../entries/cases.ts';

const CaseItemResource = Named('CaseItem', 'Something in a case: a note, a file, a link or an action.', {
  itemId: Type.String({ description: 'Id of the item, `cit_…`; of a file also `fileId`.' }),
  kind: Type.Enum(['NOTE', 'FILE', 'LINK', 'ACTION']),
  at: Type.String(),
  by: Type.String(),
  text: Nullable(Type.String(), 'The note or reason, or the name of the file; `erased` if the person was erased.'),
  about: Nullable(Type.String(), 'The record or case that is linked or acted on.'),
  step: Nullable(Type.String(), 'The step that a note explains.'),
  action: Nullable(Type.String(), 'The action that was taken.'),
  holdId: Nullable(Type.String(), 'The hold it was done to.'),
  sentOn: Nullable(Type.String(), 'Day on which a report was sent, of STR_SENT.'),
  type: Nullable(Type.String(), 'Media type of a file.'),
  size: Nullable(Type.Integer(), 'Bytes of a file.'),
  sha256: Nullable(Type.String(), 'SHA-256 of a file, hexadecimal.'),
});

export const CaseDetail = Extended(CaseResource, 'CaseDetail', 'A case with its alerts and all that is in it.', {
  reviews: Type.Array(ListedReview, { description: 'Its alerts, oldest first.' }),
  items: Type.Array(CaseItemResource, { description: 'Notes, files, links and actions, oldest first.' }),
});

export const caseResource = (c: Case) =>
  resourceOf(CaseResource, c, {
    caseId: toWire('case', c.id),
    pspId: toWire('psp', c.psp),
    clientId: accountWire(c.psp, c.account),
    aboutPerson: c.person !== null,
    proposed: c.proposed && {
      action: c.proposed.action,
      outcome: c.proposed.outcome,
      holdId: c.proposed.hold && toWire(c.proposed.ofWallet ? 'walletHold' : 'hold', c.proposed.hold),
      by: c.proposed.by,
      at: c.proposed.at,
    },
  });

/** For the journal: nothing that may name people. */
export const itemInEntry = (i: CaseItem) => ({
  itemId: toWire('caseItem', i.id),
  kind: i.kind,
  about: i.about,
  ...i.content,
});

/** @param text what was sealed, opened */
export const itemResource = (i: CaseItem, text: string | null) => ({
  itemId: toWire('caseItem', i.id),
  kind: i.kind,
  at: i.createdAt,
  by: i.writtenBy,
  text,
  about: i.about,
  step: i.content.step ?? null,
  action: i.content.action ?? null,
  holdId: i.content.holdId ?? null,
  sentOn: i.content.sentOn ?? null,
  type: i.content.type ?? null,
  size: i.content.size ?? null,
  sha256: i.content.sha256 ?? null,
});
