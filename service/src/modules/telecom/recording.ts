// The command that records a validated call detail record, once per account and operator's id, with its personal
// parts sealed and its journal entry.
import { pathOf } from '../../core/cdr/record.ts';
import type { CallRecord } from '../../core/cdr/rules.ts';
import { toWire } from '../../core/ids.ts';
import { clip } from '../../core/reference.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { said } from '../../core/said.ts';
import { type Command, need } from '../../platform/committer.ts';
import { bothAccounts, concerned, type HasAccounts } from '../accounts/index.ts';
import { about, journalRow } from '../kernel/journal.ts';
import type { Call, Needs, Reply } from '../kernel/operation.ts';
import { recordOnce } from '../kernel/record-once.ts';
import { expectSubject, sealPersonal } from '../kernel/subjects.ts';
import { personalRow } from './cdr-row.ts';
import { type CdrRecord, type CdrWarning, cdrByRef, cdrResource, cdrRow } from './cdr-store.ts';
import { differentColumn, hiddenNumber, isSame, type Side, type Storable, storable } from './seal-cdr.ts';

/** @param account the account (uuid) that the record is recorded for */
export function recording(
  s: Needs<'ids' | 'vault' | 'subjects'> & HasAccounts,
  call: Call,
  account: string,
  record: CallRecord,
  warnings: readonly CdrWarning[],
): Command<Reply> {
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
  return recordOnce({
    key,
    held: cdrByRef,
    needs: [who.account, who.psp, ...known],
    equal: (before) => isSame(before.content, stored, record),
    conflict: (before) => conflict(before, stored, record),
    ready: (facts) => bothAccounts(facts, who),
    replay: (before): Reply => ({
      message: 'call detail record recorded before',
      content: { cdrId: toWire('cdr', before.id), status: 'DUPLICATE', warnings: before.warnings },
    }),
    record(facts) {
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
          accounts: [],
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
  });
}

function conflict(before: CdrRecord, stored: Storable, record: CallRecord): Refusal {
  const column = differentColumn(before.record, stored, record);
  return refuse(
    'REF_CONFLICT',
    said`the cdr_id '${clip(before.cdrId)}' was used before with another '${column ? pathOf(column) : said`content`}'`,
  );
}
