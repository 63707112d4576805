// Adds documents of clients and decides about them: one transaction with the sealed content, the document, the account
// whose data changed, and the entries about both.
import { notFound, phrase, refuse, said } from '../../core/refusal.ts';
import { decidingTime } from '../../core/standing.ts';
import type { Database } from '../../platform/database.ts';
import { type Account, accountRows, findAccount, type HasAccounts } from '../accounts/index.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { recordIn } from '../kernel/record-in.ts';
import { type SubjectKey, sealPersonal } from '../kernel/subjects.ts';
import { openContent, sha256Of, storeContent } from './document-content.ts';
import { documentResource, mostDocuments } from './shown.ts';
import {
  type ClientDocument,
  type ClientKey,
  countDocuments,
  documentPlace,
  documentRow,
  findDocument,
  findSame,
  findVerification,
  lockDocuments,
  personOf,
} from './verification-store.ts';

type Uses = Needs<'settings' | 'ids' | 'db' | 'committer' | 'subjects'> & HasAccounts;

export interface NewDocument extends Pick<ClientDocument, 'kind' | 'contentType' | 'validUntil' | 'owner'> {
  /** Name of the file, which may name people. */
  readonly name: string | undefined;
  readonly bytes: Buffer;
}

export interface Outcome {
  readonly document: ClientDocument;
  readonly replayed: boolean;
}

/** @returns the document there is, if an equal one waits or was accepted @throws FIELD_INVALID, STATE_CONFLICT, LIMIT_REACHED */
export async function addDocument(
  s: Uses,
  principal: Principal,
  client: Account,
  made: NewDocument,
  now: number,
): Promise<Outcome> {
  const key = { psp: client.psp, account: client.id };
  const sha256 = sha256Of(made.bytes);
  const outcome = await s.db.transaction(async (tx): Promise<Outcome> => {
    await lockDocuments(tx, key);
    await expectOwner(tx, key, made);
    const same = await findSame(tx, key, { ...made, sha256 });
    // What was erased is stored once more.
    if (same && (await openContent({ subjects: s.subjects, db: tx }, same))) return { document: same, replayed: true };
    if ((await countDocuments(tx, key)) >= mostDocuments)
      throw refuse('LIMIT_REACHED', said`a client can have at most ${mostDocuments} documents`);
    const account = await openAccount(tx, client);
    const at = decidingTime(account, new Date(now).toISOString());
    const person = personOf(key);
    const sealing = (await s.subjects.load(tx, [person])).get(s.subjects.text(person)) as SubjectKey;
    const id = s.ids.next();
    const document: ClientDocument = {
      psp: client.psp,
      id,
      account: client.id,
      kind: made.kind,
      contentType: made.contentType,
      bytes: made.bytes.length,
      sha256,
      state: 'SUBMITTED',
      validUntil: made.validUntil,
      subject: person.subject,
      sealed: made.name === undefined ? null : sealPersonal(sealing, made.name, documentPlace(id)),
      addedBy: principal.actor,
      decidedBy: null,
      decisionReason: null,
      version: 1,
      createdAt: at,
      updatedAt: at,
      owner: made.owner,
    };
    await storeContent(tx, sealing, document, made.bytes);
    const { sealed, subject } = document;
    await record(s, tx, principal, account, document, undefined, {
      rows: [
        journalRow(s, principal, at, {
          ...about(document),
          kind: 'document.added',
          data: documentResource(document),
          ...(sealed === null ? {} : { sealed, subject }),
        }),
      ],
      erasures: [{ psp: key.psp, epoch: sealing.epoch }],
      subjects: sealing.fresh ? [sealing.fresh] : [],
    });
    return { document, replayed: false };
  });
  s.accounts.forget({ psp: client.psp, id: client.id });
  return outcome;
}

export interface Decision {
  readonly state: 'ACCEPTED' | 'REFUSED';
  readonly reason: string | null;
  /** Last day on which it counts; undefined to keep what was said when it was added. */
  readonly validUntil?: string | undefined;
}

/** @throws NOT_FOUND, STATE_CONFLICT */
export async function decideDocument(
  s: Uses,
  principal: Principal,
  client: Account,
  id: string,
  decision: Decision,
  now: number,
): Promise<Outcome> {
  const key = { psp: client.psp, account: client.id };
  const outcome = await s.db.transaction(async (tx): Promise<Outcome> => {
    await lockDocuments(tx, key);
    const before = await findDocument(tx, key, id);
    if (!before) throw notFound();
    const validUntil = decision.validUntil ?? before.validUntil;
    if (
      before.state === decision.state &&
      before.decisionReason === decision.reason &&
      before.validUntil === validUntil
    )
      return { document: before, replayed: true };
    // What was accepted may be refused later, as when it turns out to be forged.
    if (before.state === 'REFUSED' || before.state === decision.state)
      throw refuse(
        'STATE_CONFLICT',
        said`the document is ${phrase(before.state)}; add it again to have it decided again`,
      );
    const account = await openAccount(tx, client);
    const at = decidingTime(account, new Date(now).toISOString());
    const document: ClientDocument = {
      ...before,
      state: decision.state,
      validUntil,
      decidedBy: principal.actor,
      decisionReason: decision.reason,
      version: before.version + 1,
      updatedAt: at,
    };
    await record(s, tx, principal, account, document, decision.reason ?? undefined, {
      rows: [
        journalRow(s, principal, at, {
          ...about(document),
          kind: 'document.decided',
          data: documentResource(document),
        }),
      ],
    });
    return { document, replayed: false };
  });
  s.accounts.forget({ psp: client.psp, id: client.id });
  return outcome;
}

/** A document that names an owner is of the identity of one of the client's. @throws FIELD_INVALID */
async function expectOwner(tx: Database, key: ClientKey, { kind, owner }: NewDocument): Promise<void> {
  if (owner === null) return;
  if (kind !== 'OWNER_IDENTITY')
    throw refuse('FIELD_INVALID', "the field 'owner' is for the kind 'OWNER_IDENTITY' alone");
  if (!(await findVerification(tx, key))?.ownerIds?.includes(owner))
    throw refuse('FIELD_INVALID', "the field 'owner' names no owner of the client; getClientOwners lists them");
}

/** The account as it is stored. @throws NOT_FOUND, STATE_CONFLICT */
async function openAccount(tx: Database, client: Account): Promise<Account> {
  const account = await findAccount(tx, client.psp, client.id);
  if (!account) throw notFound();
  if (account.operationalStanding === 'CLOSED')
    throw refuse('STATE_CONFLICT', 'the account is closed and cannot be changed');
  return account;
}

async function record(
  s: Uses,
  tx: Database,
  principal: Principal,
  before: Account,
  document: ClientDocument,
  reason: string | undefined,
  more: Parameters<typeof recordIn>[2],
): Promise<void> {
  const at = document.updatedAt;
  const owner = await findAccount(tx, before.psp, before.psp);
  if (!owner) throw notFound();
  const account: Account = { ...before, version: before.version + 1, updatedAt: at };
  await recordIn(tx, s, {
    ...more,
    rows: [
      documentRow(document),
      ...more.rows,
      ...accountRows(s, principal, account, owner, reason, { changed: ['documents'] }),
    ],
  });
}
