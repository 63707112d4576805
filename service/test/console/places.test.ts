// Every kind of id has a page of the console, and every page it leads to is in the table of pages.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NoReplyError } from '@assay/client';
import { describe, expect, it } from 'vitest';
import { isAway, isFinal, isForbidden, isNotFound } from '../../../console/src/data/errors.ts';
import { consolePath } from '../../../console/src/data/open.ts';
import { isId, kindNames, pageOfLocated } from '../../../console/src/data/places.ts';
import { percentOf } from '../../../console/src/data/sums.ts';
import { kinds, recordKinds } from '../../../console/src/pages/audit/words.ts';
import { eventKinds } from '../../src/core/events.ts';
import { type IdKind, idPrefixes, type PspId, toWire } from '../../src/core/ids.ts';
import { openPath } from '../../src/core/totals/open.ts';
import { hitKinds } from '../../src/modules/directory/operations/search-all.ts';

const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
const table = readFileSync(new URL('../../../console/src/routes.tsx', import.meta.url), 'utf8');
const routes = [...table.matchAll(/path: '([^']+)'/g)].map(
  (m) => new RegExp(`^${(m[1] as string).replaceAll(/\$\w+/g, '[^/?]+')}(\\?|$)`),
);

describe('the audit', () => {
  it('has words for every kind of entry of the journal, and can be filtered by each', () => {
    expect(Object.keys({ ...kinds, ...recordKinds }).sort()).toEqual(Object.keys(eventKinds).sort());
  });
});

describe('a page', () => {
  it.each(hitKinds)('is there for a %s', (kind) => {
    const id = kind in idPrefixes ? toWire(kind as IdKind, uuid) : 'KE-VAT';
    const page = pageOfLocated({ id, kind, clientId: 'cli_x', shownWith: null, name: 'LIST' });
    const within = pageOfLocated({ id, kind, clientId: 'cli_x', shownWith: 'abc_x', name: 'LIST' });
    expect(kindNames[kind], kind).toBeDefined();
    for (const path of [page ?? within, within ?? page])
      expect(
        routes.some((r) => r.test(path ?? '')),
        `${kind}: ${path}`,
      ).toBe(true);
  });

  it('is looked for by what has the form of an id alone', () => {
    for (const kind of Object.keys(idPrefixes) as IdKind[]) expect(isId(toWire(kind, uuid))).toBe(true);
    for (const text of ['txn_', 'order-1', '', 'txn_01h455vb4pex5vsknk084sn02', 'TXN_01h455vb4pex5vsknk084sn02q'])
      expect(isId(text)).toBe(false);
  });
});

describe('a figure of a report', () => {
  // Every list that a report or a total opens, as its source writes the address.
  const source = fileURLToPath(new URL('../../src', import.meta.url));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((f) => /\.ts$/.test(f));
  const written = files.flatMap((f) => [...readFileSync(join(source, f), 'utf8').matchAll(/`(\/v1\/[a-z/]+)\?\$\{/g)]);
  const lists = new Set(written.map((m) => m[1] as string));
  for (const kind of ['captureWager', 'capturePayout', 'deposit']) {
    const of = { psp: uuid as PspId, from: '2026-10-01', to: '2026-10-31' };
    lists.add((openPath({ ...of, kind, verdict: 'APPROVED' }) as string).split('?')[0] as string);
  }

  it('is looked for in each list', () => expect(lists.size).toBeGreaterThanOrEqual(6));

  it.each([...lists])('leads to a page from %s', (list) => {
    const path = consolePath(`${list}?currency=NGN`);
    expect(
      routes.some((r) => r.test(path ?? '')),
      path,
    ).toBe(true);
    expect(path).toMatch(/\?currency=NGN$/);
  });
});

describe('an error', () => {
  it('is told apart: the service is away, the record is missing, or the person may not see it', () => {
    const error = (status: number) => Object.assign(new Error('x'), { status });
    expect([new NoReplyError('x', undefined), error(502), error(503), error(504)].map(isAway)).toEqual(
      Array(4).fill(true),
    );
    expect([error(500), error(404), error(409), new Error('x')].map(isAway)).toEqual(Array(4).fill(false));
    // What is polled is asked for no more once nobody is signed in, or there is nothing to see.
    expect([401, 403, 404, 400, 409, 429, 500, 503].map((s) => isFinal(error(s)))).toEqual([
      true,
      true,
      true,
      ...Array(5).fill(false),
    ]);
    expect([error(404), error(403), undefined].map(isNotFound)).toEqual([true, false, false]);
    expect([error(403), error(404), undefined].map(isForbidden)).toEqual([true, false, false]);
  });
});

describe('a share in percent', () => {
  it.each([
    [1, 4, '25.0'],
    ['5000', '8730.8', '57.3'],
    ['0.05', '100', '0.1'],
    ['0.0499', '100', '0.0'],
    ['-1', '3', '−33.3'],
    [2, 3, '66.7'],
    ['123456789012345678901234567890.5', '123456789012345678901234567890.5', '100.0'],
  ])('%s of %s is %s', (part, whole, percent) => expect(percentOf(part, whole)).toBe(percent));

  it.each([
    [1, 0],
    ['1', '-2'],
  ])('%s of %s is none', (part, whole) => expect(percentOf(part, whole)).toBeUndefined());
});
