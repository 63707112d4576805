// The commands that record a validated call detail record, once per account and operator's id, with its personal parts
// sealed and its journal entry; that correct it by another record, and that withdraw it.
import { pathOf } from '../../core/cdr/record.ts';
import type { CallRecord } from '../../core/cdr/rules.ts';
import { toWire } from '../../core/ids.ts';
import { clip } from '../../core/reference.ts';
import { notFound, Refusal, refuse, said } from '../../core/refusal.ts';
import { type Command, type Facts, need } from '../../platform/committer.ts';
import { bothAccounts, concerned, type HasAccounts } from '../accounts/index.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Call, Needs, Principal, Reply } from '../kernel/operation.ts';
import { recordOnce } from '../kernel/record-once.ts';
import { expectSubject, sealPersonal } from '../kernel/subjects.ts';
import { personalRow } from './cdr-row.ts';
import { type CdrRecord, type CdrWarning, cdrByRef, cdrResource, cdrRow, type HeldCdr } from './cdr-store.ts';
import { differentColumn, hiddenNumber, isSame, type Side, type Storable, storable } from './seal-cdr.ts';
import { withdrawalRows, withdrawnShown } from './withdrawal-store.ts';

type Services = Needs<'ids' | 'vault' | 'subjects'> & HasAccounts;

/** The record as it will be stored: what is needed for it, and its rows under a new id. */
function prepared(s: Services, call: Call, account: string, record: CallRecord, warnings: readonly CdrWarning[]) {
  const { principal } = call;
  const { psp } = principal;
  const at = new Date(call.now).toISOString();
  const stored = storable(s, psp, record);
  const { personal, values, masks } = stored;
  const key = { psp, space: 'cdr', ref: record.cdrId, account };
  const who = concerned(s.accounts, psp, account);
  const personOf = (side: Side) => stored.persons[side] && need(s.subjects, stored.persons[side]);
  const persons = { caller: personOf('caller'), receiver: personOf('receiver') };
  const known = Object.values(persons).filter((p) => p !== undefined);
  return {
    at,
    key,
    who,
    stored,
    needs: [who.account, who.psp, ...known],
    record(facts: Facts) {
      const id = s.ids.next();
      const sealedOf = (side: Side) => {
        const key = personal[side] && persons[side] && facts(persons[side]);
        return key && { sealed: sealPersonal(key, personal[side], personalRow(id, side)), subject: key.subject };
      };
      const [caller, receiver] = [sealedOf('caller'), sealedOf('receiver')];
      const generationOf = (side: Side) =>
        (hiddenNumber(stored, side) === undefined ? undefined : persons[side] && facts(persons[side])?.generation) ??
        null;
      const [callerHash, receiverHash] = [hiddenNumber(stored, 'caller'), hiddenNumber(stored, 'receiver')];
      const cdr = {
        psp,
        id,
        account,
        recordedBy: principal.account,
        cdrId: record.cdrId,
        callStart: record.start.text,
        durationS: record.durationS,
        callType: record.callType,
        networkProvider: record.networkProvider,
        cost: record.cost,
        currency: record.currency,
        content: stored.content,
        record: stored.record,
        warnings,
        sealed: caller?.sealed ?? null,
        subject: caller?.subject ?? null,
        receiverSealed: receiver?.sealed ?? null,
        receiverSubject: receiver?.subject ?? null,
        createdAt: at,
        callerMask: masks.caller,
        receiverMask: masks.receiver,
        callerGeneration: generationOf('caller'),
        receiverGeneration: generationOf('receiver'),
      };
      return {
        id,
        reply: {
          message: 'call detail record recorded',
          content: { cdrId: toWire('cdr', cdr.id), status: 'RECORDED', warnings },
        },
        writes: {
          // The decision does not depend on an account's standing, so the commit need not check it.
          ...expectSubject(facts, ...known),
          rows: [
            cdrRow(cdr, values),
            journalRow(s, principal, at, {
              kind: 'cdr.recorded',
              ...about(cdr),
              data: {
                ...cdrResource(cdr, masks),
                ...(callerHash && { callerHash }),
                ...(receiverHash && { receiverHash }),
              },
              sealed: cdr.sealed,
              subject: cdr.subject,
              alsoSealed: receiver ? [receiver] : [],
            }),
          ],
        },
      };
    },
  };
}

/** @param account the account (uuid) that the record is recorded for */
export function recording(
  s: Services,
  call: Call,
  account: string,
  record: CallRecord,
  warnings: readonly CdrWarning[],
): Command<Reply> {
  const { key, who, stored, needs, record: make } = prepared(s, call, account, record, warnings);
  return recordOnce({
    key,
    held: cdrByRef,
    needs,
    equal: (before) => !before.isWithdrawn && isSame(before.content, stored, record),
    conflict: (before) => conflict(before, stored, record),
    ready: (facts) => bothAccounts(facts, who),
    replay: (before: HeldCdr): Reply => duplicate(before),
    record: make,
  });
}

/**
 * The command that records `record` in place of another one of the same operator's id. What was withdrawn alone is
 * recorded again by it.
 */
export function correcting(
  s: Services,
  call: Call,
  corrected: CdrRecord,
  reason: string,
  record: CallRecord,
  warnings: readonly CdrWarning[],
): Command<Reply> {
  const { account } = corrected;
  const { key, who, stored, needs, at, record: make } = prepared(s, call, account, record, warnings);
  const held = need(cdrByRef, key);
  return {
    account,
    keys: [`r|cdr|${account}|${key.ref}`],
    needs: [held, ...needs],
    decide(facts) {
      const accounts = bothAccounts(facts, who);
      if (accounts instanceof Refusal) return accounts;
      const before = facts(held);
      if (!before) return notFound();
      const isEqual = isSame(before.content, stored, record);
      if (before.id !== corrected.id)
        return isEqual && !before.isWithdrawn
          ? { reply: { ...duplicate(before), replayed: true } }
          : superseded(before.id);
      if (isEqual && !before.isWithdrawn)
        return refuse('STATE_CONFLICT', 'the record says the same: nothing is to be corrected');
      const made = make(facts);
      const rows = before.isWithdrawn ? [] : withdrawn(s, call.principal, at, before, reason, made.id);
      return {
        reply: { ...made.reply, message: 'call detail record corrected' },
        writes: {
          ...made.writes,
          refsHeld: [{ ...key, revision: before.refRevision, target: made.id }],
          rows: [...rows, ...made.writes.rows],
        },
      };
    },
  };
}

/** The command that withdraws a record: it stays as it was recorded, and counts no more. */
export function withdrawing(s: Needs<'ids'> & HasAccounts, call: Call, cdr: CdrRecord, reason: string): Command<Reply> {
  const { psp, account } = cdr;
  const key = { psp, space: 'cdr', ref: cdr.cdrId, account };
  const held = need(cdrByRef, key);
  const who = concerned(s.accounts, psp, account);
  return {
    account,
    keys: [`r|cdr|${account}|${key.ref}`],
    needs: [held, who.account, who.psp],
    decide(facts) {
      const accounts = bothAccounts(facts, who);
      if (accounts instanceof Refusal) return accounts;
      const before = facts(held);
      if (!before) return notFound();
      if (before.id !== cdr.id) return superseded(before.id);
      const reply: Reply = {
        message: 'call detail record withdrawn',
        content: { cdrId: toWire('cdr', cdr.id), status: 'WITHDRAWN' },
      };
      if (before.isWithdrawn) return { reply: { ...reply, replayed: true } };
      const at = new Date(call.now).toISOString();
      return {
        reply,
        writes: {
          refsHeld: [{ ...key, revision: before.refRevision }],
          rows: withdrawn(s, call.principal, at, before, reason, null),
        },
      };
    },
  };
}

/** The rows of a withdrawal with their entry. */
function withdrawn(
  s: Needs<'ids'>,
  principal: Principal,
  at: string,
  cdr: HeldCdr,
  reason: string,
  supersededBy: string | null,
) {
  const records = [{ id: cdr.id, supersededBy }];
  const entry = journalRow(s, principal, at, {
    kind: 'cdr.withdrawn',
    ...about({ ...cdr, version: cdr.entries + 1 }),
    data: { reason, records: withdrawnShown(records) },
  });
  return [...withdrawalRows(entry, at, cdr, reason, records), entry];
}

const duplicate = (before: CdrRecord) => ({
  message: 'call detail record recorded before',
  content: { cdrId: toWire('cdr', before.id), status: 'DUPLICATE', warnings: before.warnings },
});

const superseded = (by: string): Refusal =>
  refuse(
    'STATE_CONFLICT',
    said`the record was corrected: ${toWire('cdr', by)} is in its place; correct or withdraw that one`,
  );

function conflict(before: HeldCdr, stored: Storable, record: CallRecord): Refusal {
  if (before.isWithdrawn)
    return refuse(
      'REF_CONFLICT',
      said`the record with the cdr_id '${clip(before.cdrId)}' was withdrawn; to record it again, correct ${toWire('cdr', before.id)}`,
    );
  const column = differentColumn(before.record, stored, record);
  return refuse(
    'REF_CONFLICT',
    said`the cdr_id '${clip(before.cdrId)}' was used before with another '${column ? pathOf(column) : said`content`}'`,
  );
}
