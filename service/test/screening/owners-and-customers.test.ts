// Owners and directors of clients are screened when they are set and when a list changes, customers who paid of late when a
// list changes. Nothing of it is in clear in a table or log, and an exception is for one person.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/adapters/http/operations.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { expectJournalComplete, readersAtEnd } from '../support/journal.ts';
import { enter } from '../support/people.ts';

let t: TestApp;
let operator: Account;
let psp: Account;

beforeAll(async () => {
  t = await makeTestApp();
  operator = await t.makeOperator();
  psp = await t.makePsp();
});
afterAll(() => t.stop());

interface Match {
  readonly matchId: string;
  readonly clientId: string;
  readonly state: string;
  readonly [field: string]: unknown;
}
const matches = async (list: string, by = psp): Promise<Match[]> =>
  contentOf(await t.get(`/v1/list-matches?list=${list}`, by.apiKey)).items;
const matched = (list: string, state = 'OPEN') =>
  until(`a match with ${list}, ${state}`, async () => (await matches(list)).find((m) => m.state === state));
/** An entry of a list of the operator's own, for all PSPs. */
const list = async (name: string, ref: string, ...names: string[]) =>
  contentOf(await t.post(`/v1/lists/${name}/entries`, { ref, names }, operator.apiKey));
const published = async (text: string) =>
  contentOf(await t.post('/v1/lists', { name: 'published.xml', text, allowShrink: true }, operator.apiKey));
/** From then on only a change of a list compares what was recorded. */
const read = () => readersAtEnd(t, ['screening']);
const owner = (over: object) => ({ name: 'Ada Obi', sharePercent: '60', dateOfBirth: '1980-02-29', ...over });
const setOwners = async (client: Account, ...owners: object[]) =>
  contentOf(await t.post(`/v1/client/${client.id}/owners`, { owners }, psp.apiKey));
const alertsOf = async (client: Account) =>
  contentOf(await t.get(`/v1/review?clientId=${client.id}&limit=50`, psp.apiKey)).items.filter(
    (r: { rule: string }) => r.rule === 'LIST_MATCH',
  );
/** Every text that the database holds of lists' matches, alerts, cases and the journal. */
const stored = async () =>
  JSON.stringify([
    await t.database.admin.query('SELECT * FROM list_matches'),
    await t.database.admin.query('SELECT * FROM reviews'),
    await t.database.admin.query('SELECT * FROM client_verifications'),
    await t.database.admin.query("SELECT body FROM journal WHERE kind NOT LIKE 'list.%'"),
  ]);

describe('a director', () => {
  // OFAC's SDN list names Sergei Viktorovich Chemezov, born 20 August 1952, in Latin letters.
  const chemezov = 'Сергей Викторович Чемезов';

  it('whose name is written in Cyrillic is found when the owners are set, under a list in Latin letters', async () => {
    await published(`<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
      <sdnEntry><uid>15043</uid><firstName>Sergei Viktorovich</firstName><lastName>CHEMEZOV</lastName><sdnType>Individual</sdnType>
      <nationalityList><nationality><uid>1</uid><country>Russia</country></nationality></nationalityList>
      <dateOfBirthList><dateOfBirthItem><uid>2</uid><dateOfBirth>20 Aug 1952</dateOfBirth></dateOfBirthItem></dateOfBirthList>
      </sdnEntry></sdnList>`);
    const client = await t.makeClient(psp, { registeredName: 'Quiet Machine Works' });
    await setOwners(
      client,
      owner({}),
      owner({ name: chemezov, sharePercent: '0', dateOfBirth: '1952-08-20', countryCode: 'RU', director: true }),
    );
    expect(await matched('OFAC_SDN')).toMatchObject({
      ...{ clientId: client.id, matched: 'OWNER', ref: '15043', asked: chemezov, transactionId: null },
      fields: [
        { field: 'name', score: 100 },
        { field: 'born', score: 5 },
        { field: 'country', score: 2 },
      ],
    });
    const [alert] = await alertsOf(client);
    expect(alert).toMatchObject({ severity: 'HIGH', state: 'OPEN' });
    expect(alert.reason).toMatch(/^An owner or director of the client matches the entry 15043/);
    expect(await stored()).not.toContain('Чемезов');
    expectRefusal(
      await t.post(`/v1/client/${client.id}/owners`, { owners: [owner({ sharePercent: '0' })] }, psp.apiKey),
      400,
      'FIELD_INVALID',
    );
  });

  it('is a match no more when another one takes the place, who is screened for himself', async () => {
    const [before] = await matches('OFAC_SDN');
    contentOf(
      await t.post(`/v1/list-matches/${before?.matchId}/exception`, { reason: 'a namesake, by passport' }, psp.apiKey),
    );
    const client = { ...psp, id: before?.clientId as string };
    await setOwners(client, owner({}));
    await matched('OFAC_SDN', 'ENDED');
    // Of the same name, but another person: the exception was for the first.
    await setOwners(client, owner({ name: 'Sergey Chemezov', dateOfBirth: '1952-08-20' }));
    const match = await matched('OFAC_SDN');
    expect(match.matchId).not.toBe(before?.matchId);
    expect(match).toMatchObject({ asked: 'Sergey Chemezov', exception: null });
  });

  it('whose name is written in Arabic is found when the list arrives later', async () => {
    const client = await t.makeClient(psp, { registeredName: 'Plain Date Imports' });
    await setOwners(client, owner({ name: 'أيمن محمد الظواهري', dateOfBirth: '1951-06-19', countryCode: 'EG' }));
    await read();
    // The consolidated list of the United Nations, QDi.006.
    const un = (reference: string, ...names: string[]) =>
      `<CONSOLIDATED_LIST dateGenerated="2026-11-24T23:00:04Z"><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID>
      <REFERENCE_NUMBER>${reference}</REFERENCE_NUMBER>${names.map((n, i) => `<${['FIRST', 'SECOND', 'THIRD'][i]}_NAME>${n}</${['FIRST', 'SECOND', 'THIRD'][i]}_NAME>`).join('')}
      <INDIVIDUAL_DATE_OF_BIRTH><DATE>1951-06-19</DATE></INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`;
    await published(un('QDi.006', 'Aiman', 'Muhammed Rabi', 'al-Zawahiri'));
    expect(await matched('UN')).toMatchObject({ clientId: client.id, matched: 'OWNER', ref: 'QDi.006' });
    await published(un('QDi.999', 'Somebody', 'Else', 'Altogether'));
    await matched('UN', 'ENDED');
  });

  it('is named to administrators and reviewers, not to auditors, whom the owners are not shown either', async () => {
    const client = await t.makeClient(psp, { registeredName: 'Plain Glass Traders' });
    await list('SHARED_OWNER', '7', 'Ottoline Farquhar');
    await setOwners(client, owner({ name: 'Ottoline Farquhar', dateOfBirth: '1971-03-04' }));
    const { matchId } = await matched('SHARED_OWNER');
    const [auditor, reviewer] = [await enter(t, psp, 'auditor'), await enter(t, psp, 'reviewer')];
    expectRefusal(await auditor.get(`/v1/client/${client.id}/owners`), 403, 'ROLE');
    for (const path of [`/v1/list-matches/${matchId}`, '/v1/list-matches?list=SHARED_OWNER'] as const) {
      expect((await reviewer.get(path)).text).toMatch(/"asked":"Ottoline Farquhar"/);
      const shown = await auditor.get(path);
      expect(shown.text).toContain('"asked":null');
      expect(shown.text).toContain(matchId);
      expect(shown.text).not.toMatch(/1971-03-04|"asked":"/);
    }
  });

  it('of a client that was erased is read by nobody', async () => {
    const client = await t.makeClient(psp, { registeredName: 'Forgotten Foundry' });
    await list('SHARED_ERASED', '1', 'Persephone Underhill');
    await setOwners(client, owner({ name: 'Persephone Underhill' }));
    await matched('SHARED_ERASED');
    // Nobody is erased while an alert or a case is open.
    await readersAtEnd(t, ['cases']);
    await t.database.admin.query("UPDATE reviews SET state = 'RESOLVED', outcome = 'CLEARED'");
    await t.database.admin.query("UPDATE cases SET state = 'CLOSED', outcome = 'CLEARED'");
    contentOf(await t.post('/v1/subject/erase', { subjects: [`client:${client.id}`], reason: 'request' }, psp.apiKey));
    expect(await matched('SHARED_ERASED')).toMatchObject({ asked: null, name: null, fields: [] });
    // Another change of lists finds nobody to compare, and ends nothing.
    await list('SHARED_ERASED', '2', 'Somebody Else Altogether');
    await list('SHARED_ERASED_PROBE', '1', 'Forgotten Foundry');
    await matched('SHARED_ERASED_PROBE');
    expect(await matches('SHARED_ERASED')).toMatchObject([{ state: 'OPEN' }]);
  });
});

describe('a customer', () => {
  const body = operations.find((o) => o.id === 'deposit')?.example as object;
  const pay = async (client: Account, ref: string, customer: object) =>
    contentOf(await t.post('/v1/payment/deposit', { ...body, ref, customer }, client.apiKey)) as {
      transactionId: string;
    };

  it('who paid before the list came is found when it comes, once, by the last payment with a name', async () => {
    const client = await t.makeClient(psp, { registeredName: 'Busy Cashier' });
    const email = 'r.x@example.com';
    await pay(client, 'c1', { email, name: 'Rosalind Xanthopoulou' });
    const named = await pay(client, 'c2', { email, name: 'Rosalind Xanthopoulou' });
    await pay(client, 'c3', { email });
    await pay(client, 'c4', { email: 'other@example.com', name: 'Innocent Bystander' });
    await read();
    await list('SHARED_LATER', '7', 'XANTHOPOULOU, Rosalind');
    const match = await matched('SHARED_LATER');
    expect(match).toMatchObject({
      ...{
        matched: 'CUSTOMER',
        transactionId: named.transactionId,
        clientId: client.id,
        asked: 'Rosalind Xanthopoulou',
      },
    });
    // A list that says something else finds nobody again.
    await list('SHARED_LATER', '8', 'Bystander, Innocent');
    await until('the second', async () => (await matches('SHARED_LATER')).length === 2);
    expect((await matches('SHARED_LATER')).map((m) => m.ref).sort()).toEqual(['7', '8']);
    expect(await stored()).not.toContain('Xanthopoulou');
  });

  it('is compared with all of a list when its threshold changes', async () => {
    const client = await t.makeClient(psp, { registeredName: 'Second Cashier' });
    await pay(client, 'd1', { email: 'n@example.com', name: 'Nicholas Papadakis' });
    await read();
    const csv = 'Ref,Type,Name,Aliases,Born,Countries,Programmes,Keys\nN-1,PERSON,Nicholas Vangelis Papadakis,,,,,\n';
    const load = async (threshold: number) =>
      contentOf(await t.post('/v1/lists', { name: 'n.csv', text: csv, list: 'SHARED_N', threshold }, operator.apiKey));
    await load(99);
    await list('SHARED_AFTER', '1', 'Second Cashier');
    await matched('SHARED_AFTER');
    expect(await matches('SHARED_N')).toEqual([]);
    await load(60);
    expect(await matched('SHARED_N')).toMatchObject({ matched: 'CUSTOMER', ref: 'N-1' });
  });

  it('who paid before the days of the setting is not opened again', async () => {
    const client = await t.makeClient(psp, { registeredName: 'Third Cashier' });
    await pay(client, 'e1', { email: 'old@example.com', name: 'Methuselah Longago' });
    await read();
    t.advance(31 * 86_400_000);
    await pay(client, 'e2', { email: 'new@example.com', name: 'Novella Justnow' });
    await read();
    await list('SHARED_DAYS', '1', 'Methuselah Longago');
    await list('SHARED_DAYS', '2', 'Novella Justnow');
    await matched('SHARED_DAYS');
    expect((await matches('SHARED_DAYS')).map((m) => m.ref)).toEqual(['2']);
  });

  it('leaves matches whose entries are in the journal', () => expectJournalComplete(t));
});
