// Receipts and checkpoints as a third party gets them: over HTTP, verified only with the published key.
import type { Flaw } from '../../src/core/audit/flaw.ts';
import { type Receipt, type VerifiedReceipt, verifyReceipt } from '../../src/core/audit/receipt.ts';
import { primitives } from '../../src/platform/hashing.ts';
import { until } from '../durability/support/conditions.ts';
import type { Account, TestApp } from './app.ts';
import { contentOf } from './guarantees.ts';

export const check = (receipt: unknown, key: string): VerifiedReceipt | Flaw => verifyReceipt(receipt, key, primitives);

export const keyOf = async (t: TestApp, account: Account): Promise<string> =>
  contentOf(await t.get('/v1/audit/key', account.apiKey)).key;

/** Wakes the sealer, which otherwise polls about once a second; the test of `getCheckpoint` waits for that. */
const seal = (t: TestApp): void => t.app.following?.readers.find((r) => r.name === 'seal')?.wake();

/** The receipt of a record, once it is sealed. */
export async function receiptOf(t: TestApp, account: Account, recordId: string): Promise<Receipt> {
  const answer = await until('the record is sealed', async () => {
    seal(t);
    const r = await t.get(`/v1/audit/receipt/${recordId}`, account.apiKey);
    return r.status === 503 ? undefined : r;
  });
  return contentOf(answer);
}

/** Waits until everything recorded so far is sealed. */
export async function allSealed(t: TestApp): Promise<void> {
  await until('all is sealed', async () => {
    seal(t);
    const [r] = await t.database.admin.query(
      `SELECT count(*) AS behind FROM journal_heads h WHERE h.seq > coalesce(
         (SELECT max(c.size) FROM audit_checkpoints c WHERE c.psp_id = h.psp_id), 0)`,
    );
    return r?.behind === 0;
  });
}

let orders = 0;
export async function verified(t: TestApp, account: Account, over: Record<string, unknown> = {}): Promise<string> {
  const r = await t.post(
    '/v1/transaction/verifyTransaction',
    {
      ref: `order-${++orders}`,
      totalAmount: 107.5,
      currency: 'NGN',
      countryCode: 'NG',
      paymentMethods: { card: 107.5 },
      transactionFee: 1.5,
      ...over,
    },
    account.apiKey,
  );
  return contentOf(r).transactionId;
}
