// Causes the kinds of journal entries that the calls of each operation do not: those of several calls, the command
// line, or an error.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rotateKey } from '../../src/modules/accounts/index.ts';
import { archiveChange } from '../../src/modules/archive/make.ts';
import { system } from '../../src/modules/kernel/principal.ts';
import { recordIn } from '../../src/modules/kernel/record-in.ts';
import { warnOfLicences } from '../../src/modules/verification/index.ts';
import { taxFolder } from '../../src/platform/data-files.ts';
import { until } from '../durability/support/conditions.ts';
import { uuidOf } from '../support/journal.ts';
import { enter } from '../support/people.ts';
import { clientOf, next, type World } from './world.ts';

/** Nigeria's tax with another rate from this month on. */
function dearer(): Record<string, unknown> {
  const country = JSON.parse(readFileSync(join(taxFolder, 'NG.json'), 'utf8'));
  const old = country.rules.find((r: { ruleId: string }) => r.ruleId === 'NG-VAT-STANDARD-2026');
  country.rules.push({ ...old, ruleId: 'NG-VAT-STANDARD-2026-11', rate: '0.10', validFrom: '2026-11-01' });
  old.validTo = '2026-11-01';
  return country;
}

/** For a PSP and a client of their own, on which the calls have put no holds. */
export async function more(w: World): Promise<void> {
  const { t, operator } = w;
  const pspAccount = await t.makePsp('Further Pay', 'DE');
  const clientAccount = await t.makeClient(pspAccount);
  const [psp, client] = [clientOf(t, pspAccount), clientOf(t, clientAccount)];
  const sale = () => client.verifyTransaction(w.example('verifyTransaction'));
  // A remark: nobody but operators knows of it.
  await operator.placeHold({ accountId: clientAccount.id, code: 'NOTED', reason: 'asked twice', blocking: false });
  const period = { since: '2026-11-20T00:00:00Z', until: '2026-11-30T00:00:00Z' };
  await w.client.replayWebhook({ webhookId: w.webhookId, ...period, only: 'all' });
  const grace = 60_000;
  await rotateKey(t.app.services, system, clientAccount.uuid, { name: 'third' }, grace, t.now());

  const basket = await client.submitBasket(w.example('submitBasket'));
  const { totalAmount, currency, countryCode } = w.example('submitBasket');
  const paid = { totalAmount, currency, countryCode, transactionID: basket.transactionId };
  await client.verifyTransaction({ ...w.example('verifyTransaction'), ...paid });

  const charged = await sale();
  const { chargebackId } = await psp.chargeBack({ ref: charged.ref });
  const against = await sale();
  const { transactionId } = against;
  await psp.netChargeback({ ref: `net-${next()}`, chargebackId, transactionId, vatAmount: '1.00' });
  await psp.declineTransaction({ ref: against.ref }, { clientId: clientAccount.id });

  const clientId = clientAccount.id;
  const ending = { ...w.example('setClientLicence'), validUntil: '2026-12-05', clientId };
  const { licences } = await client.setClientLicence(ending);
  await operator.acceptClientLicence({ clientId, licenceId: licences.at(-1)?.licenceId as string });
  await warnOfLicences(t.app.services);

  const { authorityId } = await operator.createAuthority(w.example('createAuthority'));
  const inspector = await enter(t, { ...clientAccount, id: authorityId, uuid: uuidOf(authorityId) }, 'auditor');
  await inspector.get('/v1/authority/record?type=transaction');

  await operator.loadExchangeRates(w.example('loadExchangeRates'));
  await operator.loadList(w.example('loadList'));
  const { registeredName } = await psp.getClient({ clientId: clientAccount.id });
  await psp.putOwnListEntry({ list: 'OWN_MATCHED', ref: 'M', names: [registeredName] });
  const match = await until(
    'the client matches',
    async () => (await psp.listMatches({ list: 'OWN_MATCHED' })).items[0],
  );
  await psp.makeMatchException({ ...w.example('makeMatchException'), matchId: match.matchId });
  await operator.loadTax({ reason: 'overlooked', country: dearer() });
  const range = { countryCode: 'NG', from: '2026-11-01', to: '2026-11-30' };
  await operator.correctRates({ ...range, clientId: clientAccount.id, reason: 'overlooked' });

  const { email } = (w.example('captureWager') as { customer: { email: string } }).customer;
  await w.psp.eraseSubject({ subjects: [`email:${email}`], reason: 'request of today' });
  const person = await w.person();
  await person.session.signIn({ email: person.email, password: 'not the one' }).catch(() => undefined);

  const file = { sha256: '0'.repeat(64), bytes: 1, rows: { journal: 0 } };
  const change = archiveChange({ services: t.app.services, principal: system, month: '2025-01' }, 'ARCHIVED', file);
  await t.app.services.db.transaction((tx) => recordIn(tx, t.app.services, { rows: [change] }));

  // A report that ended three processes is given up.
  const { reportId } = await w.psp.rerunReport({ reportId: await w.made({ kind: 'chargebacks', period: '2026-09' }) });
  const id = uuidOf(reportId);
  const stateOf = async () =>
    (await t.database.admin.query('SELECT state FROM reports WHERE id = $1', [id]))[0]?.state as string;
  await until('it is made', async () => (await stateOf()) === 'DONE');
  await t.database.admin.query("UPDATE reports SET begun = 3, state = 'RUNNING' WHERE id = $1", [id]);
  await until('it is given up', async () => {
    await w.made({ kind: 'chargebacks', period: '2026-10' });
    return (await stateOf()) === 'FAILED';
  });
}
