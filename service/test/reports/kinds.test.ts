// Rules for every kind of report, so that one request schema describes them all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportKinds } from '../../src/modules/reports/index.ts';
import { type Account, makeTestApp, type TestApp } from '../support/app.ts';
import { made } from '../support/reports.ts';

describe('the kinds of report', () => {
  it('have names of their own, and someone who may ask for them', () => {
    const names = reportKinds.map((k) => k.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((n) => !/^[a-z][A-Za-z0-9]+$/.test(n))).toEqual([]);
    expect(reportKinds.filter((k) => k.audience.length === 0 || k.summary === '')).toEqual([]);
  });

  it('share the schema of a parameter they both name, and name none that the request itself has', () => {
    const known = new Map<string, unknown>();
    for (const k of reportKinds)
      for (const [name, schema] of Object.entries(k.parameters.properties)) {
        expect(known.get(name) ?? JSON.stringify(schema), `${k.name}: ${name}`).toBe(JSON.stringify(schema));
        known.set(name, JSON.stringify(schema));
      }
    expect(['kind', 'clientId'].filter((n) => known.has(n))).toEqual([]);
  });

  it.each(reportKinds.map((k) => [k.name, k] as const))('%s takes texts, whole numbers and booleans only', (_, k) => {
    const types = Object.values(k.parameters.properties).map(
      (p) => (p as { type?: string; enum?: unknown }).type ?? ('enum' in (p as object) ? 'string' : 'none'),
    );
    expect(types.filter((t) => !['string', 'integer', 'boolean'].includes(t))).toEqual([]);
  });
});

describe('of a PSP that has done nothing', () => {
  let t: TestApp;
  let psp: Account;
  const given: Record<string, string> = {
    period: '2026-10',
    countryCode: 'NG',
    quarter: '2026-Q3',
    memberState: 'DE',
    form: 'NG-VAT',
    from: '2026-10-01',
    to: '2026-10-31',
  };
  beforeAll(async () => {
    t = await makeTestApp();
    psp = await t.makePsp();
  });
  afterAll(() => t?.stop());

  it.each(reportKinds.filter((k) => k.audience.includes('psp')).map((k) => [k.name, k] as const))(
    '%s is made, with a page, and says the same when it is made again',
    async (kind, k) => {
      const parameters = Object.fromEntries((k.parameters.required ?? []).map((name) => [name, given[name]]));
      const first = await made(t, { kind, ...parameters }, psp.apiKey);
      expect([first.reason, first.state]).toEqual([null, 'DONE']);
      const page = await t.get(`/v1/report/${first.reportId}/page`, psp.apiKey);
      expect(page.text).toContain('<h1>');
      t.advance(3_600_000);
      const second = await made(t, { kind, ...parameters }, psp.apiKey);
      expect(second.manifest.sections).toEqual(first.manifest.sections);
    },
  );
});
