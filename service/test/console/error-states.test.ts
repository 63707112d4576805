// What a person sees of a page whose calls fail: a heading, in words what is wrong, what to do about it, and a button that
// tries again where that may help. Every answer of the service is made by the test, so no record need exist.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type IdKind, toWire } from '../../src/core/ids.ts';
import type { Account } from '../support/app.ts';
import { openSite, type Page, type Site } from '../support/browser.ts';
import { deep } from '../support/depth.ts';
import { contentOf } from '../support/guarantees.ts';
import { uuidOf } from '../support/journal.ts';

let site: Site;
let psp: Account;
let client: Account;
let authority: Account;

beforeAll(async () => {
  site = await openSite();
  psp = await site.test.makePsp('Harbour Pay');
  client = await site.test.makeClient(psp, { registeredName: 'Lagos Books Ltd' });
  const view = { name: 'Revenue Authority', countryCode: 'NG', dayFrom: '2026-01-01', until: '2030-01-01T00:00:00Z' };
  const letIn = { ...view, reason: 'audit of 2026' };
  const { authorityId } = contentOf(await site.test.post('/v1/admin/authority', letIn, site.operator.apiKey));
  authority = { id: authorityId, uuid: uuidOf(authorityId), apiKey: '', secret: '' };
});
afterAll(() => site?.stop());

/** Each failure, what a page says then, and whether it offers to try again. */
const failures = [
  [
    '503',
    { status: 503, code: 'OVERLOADED', message: 'the service is overloaded; try again' },
    'The service cannot be reached',
    true,
  ],
  [
    '429',
    { status: 429, code: 'RATE_LIMITED', message: 'too many requests; wait 1 s' },
    'Too many requests at once',
    true,
  ],
  ['offline', { away: true }, 'The service cannot be reached', true],
  [
    '500',
    { status: 500, code: 'INTERNAL', message: 'something went wrong here; it was noted' },
    'This could not be shown',
    true,
  ],
] as const;
/** What only the page of one record meets. */
const ofRecords = [
  [
    '404',
    { status: 404, code: 'NOT_FOUND', message: 'there is no such record' },
    /has this id here|There is no such record/,
    false,
  ],
  [
    '410',
    { status: 410, code: 'ARCHIVED', message: 'this is of a month in the archive' },
    'This is in the archive',
    false,
  ],
] as const;

const lists: Readonly<Record<string, readonly string[]>> = {
  shared: [
    ...['/transactions', '/baskets', '/gaming', '/gaming/payouts', '/players', '/keys', '/requests', '/people'],
    ...['/webhooks', '/cdr', '/cdr/records', '/cdr/analysis', '/cdr/periods', '/cdr/declarations', '/cdr/logins'],
    ...['/reports', '/returns', '/returns/filed', '/returns/forms', '/settlement', '/settlement/outstanding'],
    ...['/settlement/disputes', '/security', '/'],
  ],
  psp: [
    '/cases',
    '/reviews',
    '/lists',
    '/lists/own',
    '/risk',
    '/risk/wallets',
    '/clients',
    '/rates',
    '/audit',
    '/approvals',
    '/reports/schedules',
  ],
  staff: ['/psps', '/authorities', '/status'],
  authority: [
    '/authority',
    '/authority/totals',
    '/authority/calls',
    '/authority/calls/list?period=2026-11',
    '/authority/returns',

    '/security',
  ],
};
/** Pages of one record, with the kind of its id. */
const records: Readonly<Record<string, readonly (readonly [string, IdKind])[]>> = {
  shared: [
    ['/transactions/', 'transaction'],
    ['/baskets/', 'basket'],
    ['/gaming/wagers/', 'wager'],
    ['/gaming/payouts/', 'payout'],
    ['/cdr/files/', 'cdrFile'],
    ['/cdr/records/', 'cdr'],
    ['/cdr/declarations/', 'declaration'],
    ['/webhooks/', 'webhook'],
    ['/reports/', 'report'],
    ['/returns/', 'report'],
    ['/events/', 'event'],
    ['/keys/', 'key'],
  ],
  psp: [
    ['/clients/', 'client'],
    ['/cases/', 'case'],
    ['/reviews/', 'review'],
    ['/risk/proposals/', 'proposal'],
  ],
  staff: [['/authorities/', 'client']],
  authority: [
    ['/authority/records/', 'transaction'],
    ['/authority/calls/', 'cdr'],
  ],
};

/** Answers every call but that for the session as the test says. */
const standIn = `{
  const reach = window.fetch;
  window.fetch = (...asked) => {
    const { answer } = window;
    if (!answer || /\\/v1\\/session$/.test(String(asked[0]))) return reach(...asked);
    if (answer.away) return Promise.reject(new TypeError('away'));
    const { status, code, message } = answer;
    const headers = { 'x-error-code': code, 'x-request-id': 'req-of-the-test', ...(status === 429 ? { 'retry-after': '0' } : {}) };
    return Promise.resolve(Response.json({ success: false, message }, { status, headers }));
  };
}`;

it.each([
  ['staff', ['shared', 'psp', 'staff'], (): Account | undefined => undefined],
  ["a PSP's person", ['shared', 'psp'], () => psp],
  ["a client's person", ['shared'], () => client],
  ['an authority', ['authority'], () => authority],
] as const)('every page says to %s what failed, and what to do', async (who, parts, account) => {
  const of = account();
  const person = await site.makePerson({
    ...(of ? { psp: of } : {}),
    role: who === 'an authority' ? 'auditor' : 'administrator',
  });
  const page = await site.openAs(person, '/nothing-here', of ? {} : { choose: { id: psp.id, name: 'Harbour Pay' } });
  await page.addInitScript(standIn);
  await site.go(page, '/nothing-here');
  // The pages are the same for all: what each says of the other failures is seen as staff, and by the others in depth.
  // Being offline has the words of 503, so that it is seen on every page in depth only.
  const all = deep ? failures : failures.filter(([name]) => name !== 'offline');
  const most = deep || of === undefined || who === 'an authority' ? all : all.slice(-1);
  const wrong: string[] = [];
  let n = 0;
  // No page is visited twice in a row, so what is shown is always what the visit asked for.
  for (const part of parts)
    for (const failure of [...most, ...ofRecords]) {
      const ofLists = failures.some((f) => f === failure) ? (lists[part] ?? []) : [];
      const ids = (records[part] ?? []).map(
        ([path, kind]) => `${path}${toWire(kind, `01940000-0000-7000-8000-${String(++n).padStart(12, '0')}`)}`,
      );
      for (const path of [...ofLists, ...ids]) wrong.push(...(await faults(page, path, failure)));
    }
  expect(wrong).toEqual([]);
});

it('tries again when it is asked to', async () => {
  const page = await site.openAs(await site.makePerson({ psp }), '/nothing-here');
  await page.addInitScript(standIn);
  await site.go(page, '/nothing-here');
  for (const path of ['/transactions', '/security', `/clients/${client.id}`]) {
    await page.evaluate(`window.answer = ${JSON.stringify(failures[3][1])}`);
    await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
    const retry = page.locator('main').getByRole('button', { name: 'Try again' });
    await retry.first().waitFor();
    await page.evaluate('window.answer = undefined');
    while ((await retry.count()) > 0) {
      const left = await retry.count();
      await retry.first().click();
      await expect.poll(() => retry.count()).toBeLessThan(left);
    }
  }
});

it('keeps the page where the code of a part does not come, and loads a page as soon as its code can come', async () => {
  const before = site.complaints.length;
  const page = await site.openAs(await site.makePerson(), '/people', { unvisited: true });
  await page.context().setOffline(true);
  const away = page.getByRole('alert').filter({ hasText: 'The service cannot be reached' });
  await page.getByRole('button', { name: 'Columns' }).click();
  await away.waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect.poll(() => away.count()).toBe(2);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('People');
  await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('main').getByText('Nothing is lost.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor();
  // What a browser says of a network that is not there.
  const said = (site.complaints as string[]).splice(before);
  expect(said.filter((c) => !/ERR_INTERNET_DISCONNECTED|NoReplyError/.test(c))).toEqual([]);
});

it('keeps a form that is sent while the service cannot be reached, and sends it when it can', async () => {
  const before = site.complaints.length;
  const page = await site.openAs(await site.makePerson(), '/psps');
  await page.getByRole('button', { name: 'Create a PSP' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Lagoon Pay');
  await dialog.getByRole('combobox', { name: 'Country' }).fill('Nigeria');
  await page.getByRole('option', { name: 'Nigeria' }).click();
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('alert').filter({ hasText: 'look before you repeat it' }).waitFor();
  // All that is shown is read again then, the session too.
  await page.getByText('What you see was read before').waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Lagoon Pay');
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  const said = (site.complaints as string[]).splice(before);
  expect(said.filter((c) => !c.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});

/**
 * What is wrong with a page that fails so, seen by the page itself: asked from outside, each of some hundred visits would be a
 * dozen questions. A page that hangs is named with all others, so it is not waited for as long as elsewhere.
 */
async function faults(
  page: Page,
  path: string,
  [name, answer, title, again]: (typeof failures | typeof ofRecords)[number],
): Promise<string[]> {
  const said = await page.evaluate<string>(`(async ({ path, answer, title, again }) => {
    const until = async (holds) => {
      for (const end = performance.now() + 20_000; !holds() && performance.now() < end; )
        await new Promise((go) => setTimeout(go, 20));
      return holds();
    };
    const shows = (tags, text) =>
      [...document.querySelectorAll(tags)].some((e) => text.test(e.textContent) && e.checkVisibility());
    const router = __TSR_ROUTER__;
    const there = ({ status, location, resolvedLocation }) => status === 'idle' && location === resolvedLocation;
    window.answer = answer;
    const left = router.state.location;
    void router.navigate({ href: path });
    if (!(await until(() => router.state.location !== left && there(router.state)))) return 'is not reached';
    const main = document.querySelector('main');
    const told = new RegExp(title);
    if (!(await until(() => told.test(main.textContent) && shows('main :is(h1, h2, p, span, div)', told))))
      return 'says ' + main.innerText.replace(/\\s+/g, ' ').slice(0, 200);
    return shows('main button', /^Try again$/) === again ? '' : again ? 'offers no other try' : 'offers another try';
  })(${JSON.stringify({ path, answer, title: typeof title === 'string' ? title : title.source, again })})`);
  return said === '' ? [] : [`${path.replace(/_.{26}/, '')} ${name}: ${said}`];
}
