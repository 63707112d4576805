// The command that makes a checked call detail record true: once per operator's id and account, personal parts
// sealed, with its journal entry.
import { firstDifferentColumn, pathOf, readValues } from '../../core/cdr/record.ts';
import type { CallRecord } from '../../core/cdr/rules.ts';
import { toWire } from '../../core/ids.ts';
import { clip } from '../../core/reference.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { type Command, need } from '../../platform/committer.ts';
import { bothAccounts, concerned } from '../accounts/index.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Call, Reply } from '../kernel/operation.ts';
import type { Services } from '../kernel/services.ts';
import { expectSubject, sealPersonal } from '../kernel/subjects.ts';
import { type CdrRecord, type CdrWarning, cdrByRef, cdrResource, cdrRow, personalRow } from './cdr-store.ts';
import { storable } from './seal-cdr.ts';

/** @param account the account (uuid) the record concerns */
export function recording(
  s: Services,
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
  const held = need(cdrByRef, key, true);
  const who = concerned(s.accounts, psp, account);
  const subject = personal && need(s.subjects, s.subjects.identify(psp, record.caller.text));
  return {
    account,
    keys: [`r|cdr|${account}|${record.cdrId}`],
    needs: [who.account, who.psp, held, ...(subject ? [subject] : [])],
    decide(facts) {
      const accounts = bothAccounts(facts, who);
      if (accounts instanceof Refusal) return accounts;
      const before = facts(held);
      if (before) return before.content === stored.content ? repetition(before) : conflict(before, stored.record);
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
        reply: {
          message: 'call detail record recorded',
          content: { cdrId: toWire('cdr', cdr.id), status: 'RECORDED', warnings },
        },
        writes: {
          // No standing decides here, so none is expected to be unchanged.
          accounts: [],
          ...(subject ? expectSubject(facts, subject) : {}),
          refsNew: [{ ...key, target: cdr.id, revision: 1 }],
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
  };
}

const repetition = (before: CdrRecord) => ({
  reply: {
    message: 'call detail record recorded before',
    content: { cdrId: toWire('cdr', before.id), status: 'DUPLICATE', warnings: before.warnings },
    replayed: true,
  },
});

function conflict(before: CdrRecord, record: string): Refusal {
  const column = firstDifferentColumn(readValues(before.record), readValues(record));
  return refuse(
    'REF_CONFLICT',
    `the cdr_id '${clip(before.cdrId)}' was used before with another '${column ? pathOf(column) : 'content'}'`,
  );
}
