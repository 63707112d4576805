// The command that makes a checked call detail record true: once per operator's id and account, personal parts
// sealed, with its journal entry.
import { firstDifferentColumn, pathOf, readValues } from '../../core/cdr/record.ts';
import type { CallRecord } from '../../core/cdr/rules.ts';
import { toWire } from '../../core/ids.ts';
import { clip } from '../../core/reference.ts';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { type Command, need } from '../../platform/committer.ts';
import { bothAccounts, concerned, type HasAccounts } from '../accounts/index.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Call, Reply } from '../kernel/operation.ts';
import { recordOnce } from '../kernel/record-once.ts';
import { expectSubject, sealPersonal } from '../kernel/subjects.ts';
import { type CdrRecord, type CdrWarning, cdrByRef, cdrResource, cdrRow, personalRow } from './cdr-store.ts';
import { storable } from './seal-cdr.ts';

/** @param account the account (uuid) the record concerns */
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
  const { personal, values, ...stored } = storable(s.vault, psp, record);
  const key = { psp, space: 'cdr', ref: record.cdrId, account };
  const who = concerned(s.accounts, psp, account);
  const subject = personal && need(s.subjects, s.subjects.identify(psp, record.caller.text));
  return recordOnce({
    key,
    held: cdrByRef,
    needs: [who.account, who.psp, ...(subject ? [subject] : [])],
    equal: (before) => before.content === stored.content,
    conflict: (before) => conflict(before, stored.record),
    ready: (facts) => bothAccounts(facts, who),
    replay: (before): Reply => ({
      message: 'call detail record recorded before',
      content: { cdrId: toWire('cdr', before.id), status: 'DUPLICATE', warnings: before.warnings },
    }),
    record(facts) {
      const person = subject && facts(subject);
      const id = s.ids.next();
      const cdr: CdrRecord = {
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
        ...stored,
        warnings,
        sealed: person ? sealPersonal(person, personal, personalRow(id)) : null,
        subject: person?.subject ?? null,
        createdAt: at,
      };
      return {
        id,
        reply: {
          message: 'call detail record recorded',
          content: { cdrId: toWire('cdr', cdr.id), status: 'RECORDED', warnings },
        },
        writes: {
          // No standing decides here, so none is expected to be unchanged.
          accounts: [],
          ...(subject ? expectSubject(facts, subject) : {}),
          rows: [
            cdrRow(cdr, values),
            journalRow(s, principal, at, {
              kind: 'cdr.recorded',
              psp,
              account,
              resourceId: cdr.id,
              version: 1,
              data: cdrResource(cdr),
              sealed: cdr.sealed,
              subject: cdr.subject,
            }),
          ],
        },
      };
    },
  });
}

function conflict(before: CdrRecord, record: string): Refusal {
  const column = firstDifferentColumn(readValues(before.record), readValues(record));
  return refuse(
    'REF_CONFLICT',
    `the cdr_id '${clip(before.cdrId)}' was used before with another '${column ? pathOf(column) : 'content'}'`,
  );
}
