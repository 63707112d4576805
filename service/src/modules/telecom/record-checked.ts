// A call detail record in its JSON form: checked by the rules, recorded by a command, and the rejected line of a file that
// it corrects closed.
import { fromNested, pathOf } from '../../core/cdr/record.ts';
import { type CallRecord, checkRecord } from '../../core/cdr/rules.ts';
import { refuse } from '../../core/refusal.ts';
import type { Command } from '../../platform/committer.ts';
import { loadNumberRanges } from '../../platform/data-files.ts';
import { errorFields } from '../../platform/log.ts';
import { type HasAccounts, knownAccount } from '../accounts/index.ts';
import type { Call, Needs, Reply } from '../kernel/operation.ts';
import { rulesOfAccount } from './account-rules.ts';
import type { CdrWarning } from './cdr-store.ts';
import { closeCorrectedBy } from './files/suspense-store.ts';

/** Most errors that a refusal lists. */
const mostListed = 10;

function saidOf(messages: readonly string[]): string {
  if (messages.length === 1) return `${messages[0]} (1 error)`;
  const more = messages.length - mostListed;
  return `${messages.slice(0, mostListed).join('; ')} (${messages.length} errors${more > 0 ? `, ${more} of them not listed` : ''})`;
}

export type CdrServices = Needs<'ids' | 'log' | 'db' | 'committer' | 'vault' | 'reference' | 'subjects'> & HasAccounts;

/** @throws RECORD_INVALID */
export async function recordChecked(
  s: CdrServices,
  { principal, now }: Pick<Call, 'principal' | 'now'>,
  account: string,
  body: Readonly<Record<string, unknown>>,
  commandOf: (record: CallRecord, warnings: readonly CdrWarning[]) => Command<Reply>,
): Promise<Reply> {
  const known = await knownAccount(s, { psp: principal.psp, id: account });
  const registered = known && { name: known.name, country: known.country ?? undefined };
  const { record, errors, warnings } = checkRecord(fromNested(body), {
    now,
    reference: s.reference,
    nameOf: pathOf,
    ...rulesOfAccount(registered, loadNumberRanges()),
  });
  if (!record) throw refuse('RECORD_INVALID', saidOf(errors.map((e) => e.message)));
  const said = warnings.map(({ column, code, message }) => ({ column, code, message }));
  const reply = await s.committer.submit(commandOf(record, said));
  const { cdrId } = reply.content as { cdrId: string };
  const at = new Date(now).toISOString();
  // If closing the line fails, the record stays recorded. Repeating the request tries to close the line again.
  await closeCorrectedBy(s.db, { psp: principal.psp, account, cdrId: record.cdrId, by: cdrId, at }).catch((e) =>
    s.log.warn(errorFields(e), 'a rejected line stays open although its record was sent'),
  );
  return reply;
}
