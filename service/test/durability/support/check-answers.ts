// Checks C1, C2, C3 and terminal states: compares each record with the replies that its senders received.
import { toWire } from '../../../src/core/ids.ts';
import type { Row } from '../../../src/platform/database.ts';
import { type CheckName, type Found, type Stage, sameAmounts, type Violation } from './finding.ts';
import type { History, Sent } from './history.ts';

type Say = (check: CheckName, what: string, effect?: Violation['effect']) => void;

/** C1, C2, C3: compares each record with the replies that its senders received. */
export function checkAnswers(
  history: History,
  stage: Stage,
  found: readonly Found[],
  chargebacks: readonly Row[],
  refs: readonly Row[],
): Violation[] {
  const out: Violation[] = [];
  const key = (account: unknown, ref: unknown) => `${account}|${ref}`;
  const byRef = Map.groupBy(found, (f) => key(f.current.account_id, f.current.ref));
  const refRows = Map.groupBy(refs, (r) => key(r.account_id, r.ref));
  const backs = Map.groupBy(chargebacks, (c) => c.transaction_id as string);
  const sent = Map.groupBy(history.all, (s) => key(s.party.account, s.ref));
  for (const [k, all] of sent) {
    const rows = byRef.get(k) ?? [];
    const writes = all.filter((s) => s.operation === 'verifyTransaction' || s.operation === 'deposit');
    const oks = writes.filter((s) => s.outcome === 'ok');
    const open = writes.filter((s) => s.outcome === 'unknown' || s.outcome === undefined);
    const say: Say = (check, what, effect) =>
      out.push({ check, what: `${k.split('|')[1]}: ${what}`, ...(effect ? { effect } : {}) });
    if (rows.length > 1) say(oks.length > 0 ? 'C1' : 'C3', `${rows.length} records`, 'doubled');
    if (oks.length > 0 && rows.length === 0) say('C1', 'acknowledged, but there is no record', 'lost');
    if (oks.length === 0 && open.length === 0 && rows.length > 0) say('C2', 'refused, but there is a record');
    if (oks.length === 0 && open.length > 0 && stage === 'after asking again')
      say(
        'C3',
        `its outcome is still unknown: ${all.map((s) => `${s.operation} ${s.status} ${s.code || s.text}`).join(', ')}`,
      );
    const held = refRows.get(k) ?? [];
    if (held.length !== rows.length || (rows[0] && held[0]?.target_id !== rows[0].current.id))
      say(rows.length > 0 ? 'C1' : 'C2', `${held.length} refs for ${rows.length} records`);
    const record = rows[0];
    for (const s of oks) {
      if (!record) continue;
      if (!record.versions.some((v) => sameAnswer(s, v)))
        say('C1', `no version of the record equals the answer ${s.text}`, 'lost');
      if (record.current.kind !== s.operation) say('C1', `recorded as ${record.current.kind}`);
    }
    if (record && oks.filter((s) => !s.replayed).length > record.versions.length)
      say('C1', 'more answers that were not repetitions than versions');
    changes(all, record, record ? (backs.get(record.current.id as string) ?? []) : [], stage, say);
  }
  for (const k of byRef.keys())
    if (!sent.has(k) && !k.endsWith('|null')) out.push({ check: 'C2', what: `${k}: a record nobody asked for` });
  return out;
}

/** C1, C2, C3 for declines and chargebacks. */
function changes(all: readonly Sent[], record: Found | undefined, backs: readonly Row[], stage: Stage, say: Say): void {
  const of = (operation: string) => all.filter((s) => s.operation === operation);
  const filed = of('chargeBack');
  const oks = filed.filter((s) => s.outcome === 'ok');
  const open = filed.filter((s) => s.outcome === 'unknown');
  if (oks.length > 1) say('C4', `${oks.length} chargebacks acknowledged`);
  if (oks.length > 0 && backs.length !== 1) say('C1', `a chargeback acknowledged, ${backs.length} recorded`);
  for (const s of oks) {
    const b = backs[0];
    if (
      b &&
      (toWire('chargeback', b.id as string) !== s.content.chargebackId || !sameAmounts(s.content, b.amounts as string))
    )
      say('C1', 'the chargeback recorded is not the one acknowledged');
  }
  if (oks.length === 0 && open.length === 0 && backs.length > 0) say('C2', 'a chargeback that every answer refused');
  if (open.length > 0 && oks.length === 0) {
    if (backs.length > 1) say('C3', `${backs.length} chargebacks of unknown outcome`, 'doubled');
    const told = filed.some((s) => s.code === 'ALREADY_CHARGED_BACK');
    if (stage === 'after asking again' && told && backs.length !== 1) say('C3', 'a chargeback told of, not recorded');
  }
  if (of('declineTransaction').some((s) => s.outcome === 'ok')) {
    if (!record?.versions.some((v) => v.status === 'DECLINED'))
      say('C1', 'a decline acknowledged, not recorded', 'lost');
    const last = Math.max(...of('declineTransaction').map((s) => (s.outcome === 'ok' ? s.answeredAt : 0)));
    const later = all.some((s) => s.operation === 'verifyTransaction' && s.answeredAt > last);
    // A declined transaction changes only if it is verified again.
    if (record && !later && record.current.status !== 'DECLINED') say('C7', 'declined, and no longer is');
  }
}

function sameAnswer(s: Sent, v: Row): boolean {
  const c = s.content;
  return (
    c.transactionId === toWire('transaction', v.id as string) &&
    c.ref === v.ref &&
    c.status === v.status &&
    c.vatAmount === Number(v.vat_amount) &&
    c.processingFee === Number(v.processing_fee) &&
    (s.operation === 'deposit'
      ? c.netAmount === Number(v.remainder)
      : c.merchantAmount === Number(v.remainder) &&
        c.transactionFee === Number(v.transaction_fee) &&
        c.transactionVAT === Number(v.transaction_vat)) &&
    s.body.totalAmount === Number(v.amount)
  );
}
