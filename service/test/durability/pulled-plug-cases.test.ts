// A power failure between any two statements of what is done to a transaction from a case: the transaction, its entry and
// that of the case all exist or none does, and repeating the call does it once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseAction } from '../../src/modules/cases/operations/case-action.ts';
import type { Call } from '../../src/modules/kernel/operation.ts';
import { openAlerts } from '../../src/modules/reviews/index.ts';
import { verified } from '../support/audit.ts';
import { contentOf } from '../support/guarantees.ts';
import { readersAtEnd, uuidOf } from '../support/journal.ts';
import { type Attempt, PulledWorld } from './support/pulled.ts';

let w: PulledWorld;
let made = 0;
beforeAll(async () => {
  w = await PulledWorld.start();
});
afterAll(() => w?.stop());

async function acted(action: 'DECLINE' | 'CHARGE_BACK'): Promise<Attempt> {
  const { t, psp } = w;
  const client = await t.makeClient(psp);
  const transactionId = await verified(t, client, { ref: `case-${++made}` });
  const alert = { psp: psp.uuid, account: client.uuid, rule: 'NAME_LISTED', about: `list:${made}`, reason: 'a match' };
  const at = new Date(t.now()).toISOString();
  await t.app.services.db.transaction((tx) => openAlerts(tx, t.app.services, [alert], at));
  await readersAtEnd(t, ['reviews', 'cases']);
  const { caseId } = contentOf(await t.get(`/v1/case?clientId=${client.id}`, psp.apiKey)).items[0];
  const body = { action, reason: 'stolen', transactionId };
  const call: Call<typeof body> = {
    ...{ principal: w.principal, onBehalfOf: undefined, body, query: {}, params: { caseId }, now: t.now() },
  };
  const state = async () => {
    const [r] = await t.database.admin.query(
      `SELECT (SELECT status = 'DECLINED' OR chargeback IS NOT NULL FROM transactions WHERE id = $1) AS changed,
         (SELECT count(*) FROM journal WHERE resource_id = $1 AND kind = 'transaction.updated') AS entries,
         (SELECT count(*) FROM case_items WHERE case_id = $2 AND kind = 'ACTION') AS items,
         (SELECT count(*) FROM journal WHERE resource_id = $2 AND kind = 'case.updated') AS steps,
         (SELECT count(*) FROM chargebacks WHERE transaction_id = $1) AS chargebacks`,
      [uuidOf(transactionId), uuidOf(caseId)],
    );
    return [r?.changed, r?.entries, r?.items, r?.steps, r?.chargebacks];
  };
  const all = [true, 1, 1, 1, action === 'CHARGE_BACK' ? 1 : 0];
  return {
    run: () => caseAction.handle(call, w.app.services),
    whole: async () => expect([all, [false, 0, 0, 0, 0]]).toContainEqual(await state()),
    done: async () => expect(await state()).toEqual(all),
  };
}

describe('a power failure', () => {
  it.each(['DECLINE', 'CHARGE_BACK'] as const)('in the midst of %s leaves all or nothing', async (action) => {
    const brokenOff = await w.pullEverywhere(
      () => acted(action),
      async () => undefined,
    );
    expect(brokenOff).toBeGreaterThanOrEqual(2);
  });

  it('leaves nothing that an audit finds', () => w.expectAudited());
});
