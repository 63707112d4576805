// What clients have shown: documents, licences and owners as returned and journalled, and the entries about them.

import { readConfidences } from '../core/confidence.ts';
import { documentStates, dueStates } from '../core/requirements/due.ts';
import { licenceStates } from '../core/requirements/licence.ts';
import { documentKinds, licenceActivities, requirementNeeds } from '../core/requirements/requirement.ts';
import { contentTypes } from '../records/client-documents.ts';
import { AccountResource } from './accounts.ts';
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';

export const DocumentResource = Named('ClientDocument', 'A document that a client has to show, without its content.', {
  documentId: Type.String({ description: 'Id of the document, `doc_…`.' }),
  clientId: Type.String(),
  kind: Type.Enum(documentKinds, { description: 'Kind of document.' }),
  contentType: Type.Enum(contentTypes, { description: 'Media type of the content.' }),
  bytes: Type.Integer({ description: 'Size of the content.' }),
  sha256: Type.String({ description: 'SHA-256 of the content, in hex.' }),
  state: Type.Enum(documentStates, {
    description: 'SUBMITTED: waits for a decision. ACCEPTED: it counts. REFUSED: it does not.',
  }),
  validUntil: Nullable(Type.String(), 'Last day on which it counts, `YYYY-MM-DD`; null if it does not expire.'),
  addedBy: Type.String({ description: 'Person or key that added it: `usr_…`, `key_…`.' }),
  decidedBy: Nullable(Type.String(), 'Person that accepted or refused it: `usr_…`, `key_…`; null until then.'),
  decisionReason: Nullable(Type.String(), 'Why it was refused, or a remark on its acceptance.'),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  owner: Type.Optional(
    Nullable(Type.String(), 'Owner of the client whose identity it shows, by `ownerId`; null if it names none.'),
  ),
});

export const LicenceResource = Named('ClientLicence', 'A licence of a client.', {
  licenceId: Type.String({ description: 'Id of the licence, `lic_…`.' }),
  activity: Type.Enum(licenceActivities, { description: 'Business that it permits.' }),
  authority: Type.String({ description: 'Short name of the authority, as in the requirement: `MGA`.' }),
  number: Type.String({ description: 'Number of the licence.' }),
  countryCode: Type.String({ description: 'Country of the authority, ISO 3166-1 alpha-2.' }),
  validUntil: Nullable(
    Type.String(),
    "Last day on which it is valid, in the client's country; null if it does not end.",
  ),
  state: Type.Enum(licenceStates, {
    description: 'SUBMITTED: waits for a decision. ACCEPTED: it counts. REFUSED: it does not.',
  }),
  decisionReason: Nullable(Type.String(), 'Why it was refused, or a remark on its acceptance.'),
  addedAt: Type.String({ description: 'When it was added, ISO 8601 UTC.' }),
  decidedAt: Nullable(Type.String(), 'When it was accepted or refused, ISO 8601 UTC; null until then.'),
});

const RequirementResource = Named('ClientRequirement', 'Something a client has to show.', {
  requirementId: Type.String({ description: 'Id of the requirement.' }),
  level: Type.String({ description: 'Verification level that needs it.' }),
  need: Type.Enum(requirementNeeds, { description: 'Kind of requirement.' }),
  what: Type.String({ description: 'The requirement in a sentence.' }),
  document: Nullable(Type.Enum(documentKinds), 'The kind of document; null for others.'),
  activity: Nullable(Type.Enum(licenceActivities), 'Business that the licence permits; null for others.'),
  authorities: Type.Array(Type.String(), {
    description: 'Short names of authorities that may have issued the licence; empty for any.',
  }),
  law: Nullable(Type.String(), 'The provision; null if none is known.'),
  confidence: Type.Enum(readConfidences, {
    description: 'official: the statute or its authority was read. secondary: a summary. assumed: our own choice.',
  }),
  state: Type.Enum(dueStates, {
    description: 'DUE: missing. SUBMITTED: waits for a decision. HELD: met. EXPIRED: no longer met.',
  }),
  dueBy: Nullable(Type.String(), "Last day to meet it, in the client's country; null if it is met."),
  validUntil: Nullable(Type.String(), 'Last day on which what is held counts; null if it does not expire.'),
  missingOwners: Type.Array(Type.String(), {
    description: 'Owners whose identity is not shown, as in getClientOwners; empty for other requirements.',
  }),
});

export const Requirements = Type.Array(RequirementResource, {
  description: 'Everything a client of its kind has to show, with what is held, due and expired.',
});

export const verificationEntries = {
  'client.licence_expiring/1': entry('A licence of a client ends soon: 30 or 7 days before, and on its last day.', {
    data: AccountResource,
  }),
  'document.added/1': entry('A document of a client was added; its content is sealed and vouched for by its hash.', {
    data: DocumentResource,
  }),
  'document.decided/1': entry('A document of a client was accepted or refused.', { data: DocumentResource }),
};
