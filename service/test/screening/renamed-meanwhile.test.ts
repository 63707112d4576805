// A client that is renamed, or names its owners, while all clients are screened: what the change found stays.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Rescreening } from '../../src/modules/screening/rescreening.ts';
import { until } from '../durability/support/conditions.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf } from '../support/guarantees.ts';
import { readersAtEnd } from '../support/journal.ts';

let t: TestApp;
let psp: Account;

beforeAll(async () => {
  t = await makeTestApp();
  psp = await t.makePsp();
});
afterAll(() => t.stop());

const put = async (list: string, ref: string, ...names: string[]) =>
  contentOf(await t.post(`/v1/lists/${list}/entries`, { ref, names }, psp.apiKey));
const matches = async (list: string): Promise<{ clientId: string; state: string; asked: string }[]> =>
  contentOf(await t.get(`/v1/list-matches?list=${list}`, psp.apiKey)).items;
const rename = async (client: Account, registeredName: string) =>
  contentOf(await t.post(`/v1/client/${client.id}/update`, { registeredName, reason: 'renamed' }, psp.apiKey));

/** Another process screens all clients of the PSP; between its reading and its recording, `meanwhile` happens. */
async function screenedAround(meanwhile: () => Promise<void>): Promise<void> {
  let reached = false;
  let goOn: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const { admin } = t.database;
  const slow = new Rescreening(t.app.services, {
    query: admin.query.bind(admin),
    async transaction(work) {
      reached = true;
      await gate;
      return admin.transaction(work);
    },
  });
  // The service screens too: the other one is asked again until it was first.
  const works: Promise<void>[] = [];
  await until('the other process has read the clients', async () => {
    if (reached) return true;
    await admin.query('DELETE FROM list_screenings WHERE psp_id = $1', [psp.uuid]);
    works.push(slow.work());
    return false;
  });
  await meanwhile();
  await readersAtEnd(t, ['screening']);
  goOn();
  await Promise.all(works);
}

describe('while all clients are screened', () => {
  it('a client that takes a listed name keeps its match', async () => {
    await put('OWN_TAKEN', '1', 'Northwind Heavy Metals');
    const client = await t.makeClient(psp, { registeredName: 'Plain Paper Mill' });
    await readersAtEnd(t, ['screening']);
    await screenedAround(() => rename(client, 'Northwind Heavy Metals'));
    expect(await matches('OWN_TAKEN')).toMatchObject([{ clientId: client.id, state: 'OPEN' }]);
  });

  it('a client that gives up a listed name has no match of that name', async () => {
    const client = await t.makeClient(psp, { registeredName: 'Corner Bakery' });
    await readersAtEnd(t, ['screening']);
    await put('OWN_GIVEN_UP', '1', 'Saltmarsh Armaments');
    await rename(client, 'Saltmarsh Armaments');
    await until('a match', async () => (await matches('OWN_GIVEN_UP')).some((m) => m.state === 'OPEN'));
    await screenedAround(() => rename(client, 'Corner Bakery'));
    expect(await matches('OWN_GIVEN_UP')).toMatchObject([{ clientId: client.id, state: 'ENDED' }]);
  });

  it('an owner who is named has a match', async () => {
    const owner = (name: string) => ({ name, sharePercent: '60', dateOfBirth: '1980-02-29' });
    const setOwners = async (...owners: object[]) =>
      contentOf(await t.post(`/v1/client/${client.id}/owners`, { owners }, psp.apiKey));
    await put('OWN_OWNER', '1', 'Evangelina Thistlewood');
    const client = await t.makeClient(psp, { registeredName: 'Quiet Harbour Works' });
    await setOwners(owner('Ada Obi'));
    await readersAtEnd(t, ['screening']);
    await screenedAround(() => setOwners(owner('Evangelina Thistlewood')));
    expect(await matches('OWN_OWNER')).toMatchObject([
      { clientId: client.id, state: 'OPEN', asked: 'Evangelina Thistlewood' },
    ]);
  });
});
