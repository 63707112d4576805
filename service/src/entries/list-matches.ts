// Matches with entries of lists: the resource as it is journalled, without what was compared, and its entries.
import { matchedKinds, matchStates } from '../core/screening/match.ts';
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { ListPurposeField } from './lists.ts';
import { Named, Nullable, Type } from './schema.ts';

export const matchFields = {
  matchId: Type.String({ description: 'Id of the match, `mtc_…`.' }),
  pspId: Type.String(),
  clientId: Type.String(),
  transactionId: Nullable(Type.String(), 'The payment it was found in; null for a client’s own name.'),
  matched: Type.Enum(matchedKinds, {
    description:
      'CLIENT: the registered name of a client. OWNER: an owner or director of a client. CUSTOMER: the name of a payment’s customer. WALLET: an address.',
  }),
  list: Type.String({ description: 'Name of the list.' }),
  shared: Type.Boolean({ description: 'True if the list is screened for all PSPs, false if it is the PSP’s own.' }),
  purpose: ListPurposeField,
  ref: Type.String({ description: "The publisher's number of the entry." }),
  entryRevision: Type.Integer({ description: 'Number of the entry’s content that was compared.' }),
  score: Type.Integer({ description: 'Score in percent.' }),
  state: Type.Enum(matchStates, {
    description:
      'OPEN: to be looked at. EXCEPTED: a person said that it is somebody else. ENDED: it is no match any more.',
  }),
  exception: Nullable(
    Named('MatchException', 'Why a match is of somebody else.', {
      by: Type.String({ description: 'Person or key that said so: `usr_…`, `key_…`.' }),
      at: Type.String({ description: 'When, ISO 8601 UTC.' }),
      reason: Type.String({ description: 'Why it is somebody else.' }),
      until: Nullable(Type.String(), 'When the exception ends, ISO 8601 UTC; null for never.'),
    }),
    'The exception; null if there is none.',
  ),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
};

const JournalledMatch = Named(
  'JournalledMatch',
  'A match with an entry of a list, without what was compared.',
  matchFields,
);

export const matchEntries = {
  'match.opened/1': entry('A client, an owner of a client, a customer or a wallet matches an entry of a list.', {
    data: JournalledMatch,
  }),
  'match.updated/1': entry('A match was found again with another score, excepted, opened again or ended.', {
    data: JournalledMatch,
    evidence: Type.Optional(Reason),
  }),
};
