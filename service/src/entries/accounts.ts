// Accounts and their keys: the resources as returned and journalled, and the entries about them.
import { documentKinds } from '../core/requirements/requirement.ts';
import { scopes } from '../core/scopes.ts';
import { taxNumberKinds, taxSchemes } from '../core/tax/supplier.ts';
import { supplies } from '../core/tax/supplies.ts';
import { entry } from './define.ts';
import { Extended, Named, Nullable, Type } from './schema.ts';
import { Observation } from './transactions.ts';

/** Only for operators. */
const ShownToClient = Type.Optional(
  Nullable(
    Named('PublicHold', 'The part of a hold that the client and its PSP see.', {
      code: Type.String(),
      reason: Type.String(),
    }),
    'Operators only: the part that the client and its PSP see; null: nothing.',
  ),
);

export const Hold = Named('Hold', 'A hold on an account, or a warning about one of its webhook addresses.', {
  id: Type.String(),
  code: Type.String({ description: 'Code of the hold: its public code; for operators, its private code.' }),
  reason: Type.String(),
  blocking: Type.Boolean({ description: 'True if it declines transactions while in force.' }),
  since: Type.String({ description: 'When it began, ISO 8601 UTC.' }),
  until: Nullable(Type.String(), 'When it ends, ISO 8601 UTC; null if it is open-ended.'),
  setBy: Type.Optional(Type.String({ description: 'Operators only: the key or person that placed it.' })),
  shownToClient: ShownToClient,
});

const TaxProfile = Named('TaxProfile', 'Whether an account owes tax on its sales in a country, from a day on.', {
  country: Type.String({ description: 'Country of the registration, ISO 3166-1 alpha-2.' }),
  validFrom: Type.String({
    description: 'First day in that country, `YYYY-MM-DD`, until the next profile of the same country.',
  }),
  registered: Type.Boolean({
    description: 'Whether it is registered for the tax on sales. If not, its sales bear none.',
  }),
  scheme: Type.Enum(taxSchemes, {
    description:
      'STANDARD: the rates of the country. FLAT_RATE: the same rates, with a flat part paid to the authority, or the flat rate of a country that has one. SMALL_BUSINESS: below the limit, no tax. EXEMPT: only exempt sales.',
  }),
  taxNumber: Nullable(Type.String(), 'Its number at the tax authority.'),
  taxNumberKind: Type.Optional(
    Type.Enum(taxNumberKinds, {
      description:
        'VAT: of the tax on sales (GST). TIN: of a business as a taxpayer. PERSON: of a person. COMPANY: of the company register. EORI: of the customs. Absent if nobody said.',
    }),
  ),
  taxNumberValid: Nullable(
    Type.Boolean(),
    'Whether the number has the form and check digits of its kind in the country; null where none are known.',
  ),
  subdivision: Nullable(Type.String(), 'Part of the country whose tax it owes, ISO 3166-2.'),
  supply: Nullable(
    Type.Enum(supplies),
    'Kind of goods or services it sells, where the merchant category code of a sale does not say.',
  ),
});

const account = {
  clientId: Type.String(),
  registeredName: Type.String(),
  registrationNumber: Nullable(Type.String(), 'Number in the register of its country; null for a PSP.'),
  classification: Nullable(Type.String()),
  countryCode: Nullable(Type.String(), 'Country of registration, ISO 3166-1 alpha-2.'),
  organizationTin: Nullable(Type.String()),
  verificationLevel: Type.String(),
  operationalStanding: Type.String(),
  acceptable: Type.Boolean(),
  reason: Nullable(Type.String(), 'Reason why the standing is not acceptable; null if it is.'),
  flags: Type.Array(Hold, { description: 'Holds on the account, and warnings.' }),
  observations: Type.Array(Observation),
  taxProfiles: Type.Optional(
    Type.Array(TaxProfile, { description: 'Its tax profiles, by country and day; absent if none was set.' }),
  ),
  test: Type.Optional(Type.Literal(true, { description: 'Present only for test accounts.' })),
  testOf: Type.Optional(Type.String({ description: 'The live account that this test account belongs to.' })),
  webhookUrls: Type.Optional(
    Type.Array(Type.String(), {
      description: "Present only in events about the account's webhook addresses: all of them after the change.",
    }),
  ),
  expiringLicence: Type.Optional(
    Named('ExpiringLicence', 'A licence that ends soon. Present only in events that warn of it.', {
      licenceId: Type.String({ description: 'Id of the licence, `lic_…`.' }),
      activity: Type.String({ description: 'Business that it permits.' }),
      authority: Type.String({ description: 'Short name of the authority: `MGA`.' }),
      number: Type.String({ description: 'Number of the licence.' }),
      validUntil: Type.String({ description: "Last day on which it is valid, in the client's country." }),
      daysLeft: Type.Integer({ description: 'Days of validity that are left; 0 on the last day.' }),
    }),
  ),
  expiringDocument: Type.Optional(
    Named('ExpiringDocument', 'A document that the client has to show and that ends soon, or has ended.', {
      documentId: Type.String({ description: 'Id of the document, `doc_…`.' }),
      kind: Type.Enum(documentKinds, { description: 'Kind of document.' }),
      validUntil: Type.String({ description: "Last day on which it counts, in the client's country." }),
      daysLeft: Type.Integer({ description: 'Days that are left; 0 on the last day, negative after it.' }),
    }),
  ),
  createdAt: Type.String(),
  updatedAt: Type.String(),
};
export const AccountResource = Named(
  'Client',
  'A client or a PSP: who it is, and whether it is in acceptable standing.',
  account,
);

export const Scopes = Type.Array(Type.Enum(scopes), {
  description: 'Scopes of the key. `read` permits every GET; each of the others permits its own operations.',
});

const AccountAndKey = Extended(AccountResource, 'ClientAndKey', 'The account in full, and the key beside it.', {
  key: Named('ChangedKey', 'The key that was issued, changed or revoked, without the key itself.', {
    keyId: Type.String({ description: 'Id of the key, `key_…`.' }),
    name: Nullable(Type.String(), 'Purpose of the key.'),
    expiresAt: Nullable(Type.String(), 'When it ends, ISO 8601 UTC; null if it does not.'),
    scopes: Type.Optional(Scopes),
  }),
});

const holds = Type.Optional(
  Type.Array(
    Named('RecordedHold', 'A hold as operators placed it.', {
      id: Type.String({ description: 'Id of the hold, a UUID.' }),
      code: Type.String({ description: 'The private code.' }),
      reason: Type.String({ description: 'The private reason.' }),
      publicCode: Type.Optional(Type.String({ description: 'The code that others read.' })),
      blocking: Type.Boolean({ description: 'Whether it declines every transaction.' }),
      from: Type.String({ description: 'When it begins, ISO 8601 UTC.' }),
      until: Nullable(Type.String(), 'When it ends, ISO 8601 UTC; null if it does not.'),
      setBy: Type.String({ description: 'Who placed it: `key_…`, `usr_…`, or a login name.' }),
    }),
    { description: 'All holds of the account after the change, where there are any.' },
  ),
);

const reason = Type.Optional(Type.String());

const RecordedLicence = Named('RecordedLicence', 'A licence of a client as it was recorded.', {
  id: Type.String({ description: 'Id of the licence, a UUID.' }),
  activity: Type.String({ description: 'Business that it permits.' }),
  authority: Type.String({ description: 'Short name of the authority.' }),
  number: Type.String({ description: 'Number of the licence.' }),
  country: Type.String({ description: 'Country of the authority, ISO 3166-1 alpha-2.' }),
  validUntil: Nullable(Type.String(), 'Last day on which it is valid; null if it does not end.'),
  state: Type.String({ description: 'SUBMITTED, ACCEPTED or REFUSED.' }),
  addedAt: Type.String({ description: 'When it was added, ISO 8601 UTC.' }),
  addedBy: Type.String({ description: 'Person or key that added it.' }),
  decidedAt: Nullable(Type.String(), 'When it was accepted or refused, ISO 8601 UTC.'),
  decidedBy: Nullable(Type.String(), 'Person that accepted or refused it.'),
  decisionReason: Nullable(Type.String(), 'Why it was refused, or a remark.'),
  warned: Nullable(Type.Integer(), 'Days before its end of the last warning given; null if none was.'),
});

const ClientEvidence = Named('ClientEvidence', 'Why an account was changed, and what operators know besides.', {
  changed: Type.Optional(Type.Array(Type.String(), { description: 'Names of the fields that were changed.' })),
  webhookId: Type.Optional(Type.String({ description: 'The webhook address that was changed, `whk_…`.' })),
  state: Type.Optional(Type.String({ description: 'State of the webhook address from then on.' })),
  caseId: Type.Optional(Type.String({ description: 'The case that it was done from, `cas_…`.' })),
  reason,
  holds,
  licences: Type.Optional(Type.Array(RecordedLicence, { description: 'All licences after a change of one.' })),
  ownerShares: Type.Optional(
    Type.Array(Type.String(), { description: 'Percent of each owner after a change of owners, which are sealed.' }),
  ),
  ownerIds: Type.Optional(
    Type.Array(Type.String(), { description: 'Mark of each owner, in the order of the shares.' }),
  ),
});

export const Reason = Named('Reason', 'Why it was done.', { reason: Type.String() });

const webhookId = Type.String({ description: 'Id of the webhook address, `whk_…`.' });
const SentAgain = Named('WebhookRequest', 'A delivery that was made on request.', {
  webhookId,
  eventId: Type.String({ description: 'Id of the event, `evt_…`.' }),
  deliveryId: Type.String({ description: 'Id of the delivery, `dlv_…`.' }),
});

export const accountEntries = {
  'client.created/1': entry('An account was created.', { data: AccountResource }),
  'client.updated/1': entry('An account or its webhook addresses were changed.', {
    data: AccountResource,
    evidence: Type.Optional(ClientEvidence),
  }),
  'client.changed_privately/1': entry('Something about an account was changed that only operators see.', {
    data: AccountResource,
    evidence: ClientEvidence,
  }),
  'client.secret_stored/1': entry("An account's secret at a payment provider was stored, sealed.", {
    data: Named('StoredSecret', 'The payment provider whose secret was stored.', {
      psp: Type.String({ description: 'Name of the payment provider.' }),
      updatedAt: Type.String(),
    }),
  }),
  'client.webhook_tested/1': entry('A test event was sent to a webhook address.', { data: SentAgain }),
  'client.webhook_retried/1': entry('A delivery was sent again on request.', { data: SentAgain }),
  'client.webhook_replayed/1': entry('Deliveries of a period were sent again on request.', {
    data: Named('WebhookReplay', 'Deliveries of a period that were sent again.', {
      webhookId,
      since: Type.String({ description: 'Beginning of the period, ISO 8601 UTC.' }),
      until: Type.String({ description: 'End of the period, ISO 8601 UTC.' }),
      only: Type.Enum(['failed', 'missing', 'all'], { description: 'Which deliveries were asked for.' }),
      retried: Type.Integer({ description: 'Deliveries that were made due again.' }),
      added: Type.Integer({ description: 'Deliveries that were added.' }),
    }),
  }),
  'key.issued/1': entry('A key was issued.', { data: AccountAndKey, evidence: Type.Optional(Reason) }),
  'key.updated/1': entry('A key was renamed, or its end was changed.', {
    data: AccountAndKey,
    evidence: Type.Optional(Reason),
  }),
  'key.revoked/1': entry('A key was revoked.', { data: AccountAndKey, evidence: Type.Optional(Reason) }),
};
