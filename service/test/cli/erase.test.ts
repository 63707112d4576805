// assay erase beside a running service: it shows what is stored, erases it, and the service shows the result at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, me, type World } from './world.ts';

let w: World;
let psp: Awaited<ReturnType<World['makePsp']>>;
let transactionId: string;
const email = 'ada@example.com';

beforeAll(async () => {
  w = await makeWorld();
  psp = await w.makePsp('Forgetful Pay');
  const r = await w.call('/v1/payment/deposit', psp.apiKey, {
    ref: 'dep-1',
    totalAmount: 1000,
    currency: 'NGN',
    customer: { email, name: 'Ada Obi' },
    countryCode: 'NG',
    transactionFee: 5,
  });
  transactionId = r.body.content.transactionId;
});
afterAll(() => w.stop());

const named = () => ['--psp', psp.pspId, '--subject', `email:${email}`, '--subject', 'phone:+2348030000002'];
const customer = async () =>
  (await w.call(`/v1/transaction/${transactionId}?expand=customer`, psp.apiKey)).body.content.customer;

describe('assay erase', () => {
  it('says with --dry-run what is kept, and erases nothing', async () => {
    const r = await w.plain('erase', ...named(), '--dry-run');
    expect([r.exitCode, r.stderr]).toEqual([0, '']);
    expect(r.stdout).toMatch(/^Kind +Readable +Erased\n-/);
    expect(r.stdout).toMatch(/\ntransactions +1 +0\n/);
    expect(r.stdout).not.toContain(email);
    expect((await customer()).customer.email).toBe(email);
    expect(await w.journal('subject.erased')).toEqual([]);
  });

  it('says with --dry-run that an open alert would refuse it, and refuses it', async () => {
    const payer = await w.makePsp('Watched Pay');
    const { clientId, apiKey } = await w.makeClient(payer.apiKey);
    const paid = await w.call('/v1/payment/deposit', apiKey, {
      ...{ ref: 'dep-2', totalAmount: 1000, currency: 'NGN', countryCode: 'NG', transactionFee: 5 },
      customer: { email, name: 'Ada Obi' },
    });
    const about = paid.body.content.transactionId;
    const opened = await w.call('/v1/review', payer.apiKey, { transactionId: about, reason: 'odd' });
    expect(opened.status).toBe(200);
    const client = ['--psp', payer.pspId, '--subject', `client:${clientId}`];
    const r = await w.plain('erase', ...client, '--dry-run');
    expect([r.exitCode, r.stderr]).toEqual([0, '']);
    expect(r.stdout).toMatch(/\nAn erasure would be refused: (cas|rev)_\S+ is open\. Do not tell the person of it\.\n/);
    const refused = await w.plain('erase', ...client, '--reason', 'x');
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toMatch(/kept for the open (alert|case)/);
  });

  it.each([
    ['without a reason', () => named(), 2, /--reason is required/],
    ['without a person', () => ['--psp', psp.pspId, '--reason', 'x'], 2, /--subject/],
    [
      'for a PSP that is none',
      () => ['--psp', 'psp_x', '--subject', 'email:a@b.example', '--reason', 'x'],
      3,
      /not found/,
    ],
    ['for a name of no kind', () => [...named(), '--subject', 'ada', '--reason', 'x'], 3, /email:, phone:/],
  ] as const)('refuses %s', async (_, args, exitCode, says) => {
    const r = await w.plain('erase', ...args());
    expect([r.exitCode, r.stdout]).toEqual([exitCode, '']);
    expect(r.stderr).toMatch(says);
  });

  it('erases, in force in the running service at once, and journals who did it and why', async () => {
    const r = await w.json('erase', ...named(), '--reason', 'request of 2026-11-20');
    expect([r.exitCode, r.json()]).toEqual([
      0,
      { erasureId: expect.stringMatching(/^ers_/), keys: 1, rejectedLines: 0 },
    ]);
    expect(await customer()).toBe('erased');
    const [entry, ...more] = await w.journal('subject.erased');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      actor: { by: me },
      clientId: psp.pspId,
      data: { erasureId: r.json().erasureId },
      evidence: { reason: 'request of 2026-11-20' },
    });
    const again = await w.plain('erase', ...named(), '--reason', 'once more');
    expect([again.exitCode, again.stdout]).toEqual([0, 'There was nothing to erase.\n']);
    const audit = await w.plain('audit', 'verify');
    expect([audit.exitCode, audit.stderr]).toEqual([0, '']);
  });
});
