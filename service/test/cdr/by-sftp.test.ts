// A call detail file from end to end: sent over SFTP, picked up, reported in its status file, corrected, and its
// rejected line closed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../durability/support/conditions.ts';
import { call, connect, makeTestDrop, names, sftpOf, type TestDrop, upload } from '../sftp/support/drop.ts';
import { cdrRow, cdrText } from '../support/cdr-files.ts';

let d: TestDrop;
const metrics: string[] = [];

beforeAll(async () => {
  d = await makeTestDrop({
    observe: {
      signIn: (outcome) => metrics.push(outcome),
      refused: () => metrics.push('refused'),
      received: (bytes) => metrics.push(`${bytes} bytes`),
      uploaded: (outcome) => metrics.push(outcome),
    },
  });
});
afterAll(() => d.stop());

it('a file sent over SFTP is told of there, comes back by API, and is closed by its correction', async () => {
  const { t } = d;
  const psp = await t.makePsp();
  const account = await t.makeClient(psp);
  const login = await d.login(account, psp);
  const client = await connect(d, login);
  const sftp = await sftpOf(client);
  const text = cdrText(cdrRow(1), cdrRow(2, { caller_number: '12345678901234567' }));
  await upload(sftp, '/cdr/incoming/calls.csv', text);
  expect(metrics).toEqual(['signed_in', `${text.length} bytes`, 'finished']);

  await t.app.services.cdrIntake.pickUp();
  expect(await names(sftp, '/cdr/incoming')).toEqual([]);
  expect(await names(sftp, '/cdr/status')).toEqual(['calls.csv.json']);
  const read = await call<Buffer>((done) => sftp.readFile('/cdr/status/calls.csv.json', done as never));
  const told = JSON.parse(read.toString());
  expect(told).toMatchObject({
    state: 'PARTIALLY_ACCEPTED',
    errors: [{ line: 3, column: 'caller_number', code: 'PARTY_INVALID' }],
  });
  await call((done) => sftp.unlink('/cdr/status/calls.csv.json', done));
  expect(await names(sftp, '/cdr/status')).toEqual([]);

  const rejected = await t.get(`/v1/telecom/file/${told.fileId}/rejected.csv`, account.apiKey);
  await upload(sftp, '/cdr/incoming/corrected.csv', rejected.text.replace('12345678901234567', '+2348030000009'));
  await t.app.services.cdrIntake.pickUp();
  const answer = await call<Buffer>((done) => sftp.readFile('/cdr/status/corrected.csv.json', done as never));
  expect(JSON.parse(answer.toString())).toMatchObject({ state: 'ACCEPTED', counts: { total: 1, accepted: 1 } });
  const { suspense } = (await t.get(`/v1/telecom/file/${told.fileId}`, account.apiKey)).body.content;
  expect(suspense).toEqual({ open: 0, corrected: 1, writtenOff: 0, notKept: 0 });
  client.end();
});

it('sign-ins that fail and uploads that break off are told of too', async () => {
  const { t } = d;
  const psp = await t.makePsp();
  const account = await t.makeClient(psp);
  const login = await d.login(account, psp);
  metrics.length = 0;
  await expect(connect(d, { ...login, password: 'wrong' })).rejects.toThrow();
  expect(metrics).toContain('failed');
  const client = await connect(d, login);
  const sftp = await sftpOf(client);
  const handle = await call<Buffer>((done) => sftp.open('/cdr/incoming/half.csv', 'w', done as never));
  await call((done) => sftp.write(handle, Buffer.from('half'), 0, 4, 0, done as never));
  client.end();
  await until('the upload is given up', () => metrics.includes('abandoned'));
  expect(metrics).not.toContain('finished');
});
