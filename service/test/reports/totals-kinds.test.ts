// Reports on daily totals: their figures equal those of the records, and every line that links to rows links to its
// own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromWire } from '../../src/core/ids.ts';
import { sumOf } from '../../src/core/sums.ts';
import { totalsReader } from '../../src/modules/totals/count-entries.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { ended, made } from '../support/reports.ts';
import { type Cast, live, makeCast, totalled } from '../totals/life.ts';

let t: TestApp;
let cast: Cast;
const period = '2026-11';

beforeAll(async () => {
  t = await makeTestApp({ env: { LOG_LEVEL: 'info' } });
  cast = await makeCast(t);
  await live(t, cast, 11, 400);
  await totalled(t);
});
afterAll(() => t.stop());

type Row = { readonly open?: string } & Readonly<Record<string, string | null>>;

/** A section's rows by the names of their columns. */
async function sections(body: Record<string, unknown>, key = cast.psp.apiKey): Promise<(name: string) => Row[]> {
  const report = await made(t, { period, ...body }, key);
  expect([report.state, report.reason]).toEqual(['DONE', null]);
  const document = (await t.get(`/v1/report/${report.reportId}/json`, key)).body;
  return (name) => {
    const s = document.sections.find((x: { name: string }) => x.name === name);
    return s.rows.map((r: { cells: (string | null)[]; open?: string } & Record<string, string | null>) =>
      Array.isArray(r.cells)
        ? {
            ...Object.fromEntries(s.columns.map((c: { name: string }, i: number) => [c.name, r.cells[i]])),
            open: r.open,
          }
        : r,
    );
  };
}
/** The fields of a row as PostgreSQL writes it: what has quotes, commas, spaces or braces stands in quotes. */
const fieldsOf = (row: string) =>
  [...row.slice(1, -1).matchAll(/(?:^|,)(?:"((?:[^"\\]|\\.|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll(/""|\\(.)/g, (_, c: string | undefined) => c ?? '"') ?? plain,
  );
const sql = async (text: string) =>
  (await t.database.admin.query<{ r: string }>(`SELECT x::text AS r FROM (${text}) x`, [cast.psp.uuid]))
    .map((r) => fieldsOf(r.r).join(' '))
    .sort();
const lines = (rows: readonly Row[], ...columns: string[]) =>
  rows.map((r) => columns.map((c) => r[c]).join(' ')).sort();
async function rowsAt(path: string): Promise<number> {
  let n = 0;
  for (let cursor = ''; ; ) {
    const page = contentOf(await t.get(`${path}&limit=200${cursor}`, cast.psp.apiKey));
    n += page.items.length;
    if (page.nextCursor === null) return n;
    cursor = `&cursor=${page.nextCursor}`;
  }
}
const inMonth = "evidence::jsonb->>'date' LIKE '2026-11-%'";

describe('vatReturn', () => {
  it('charges by rule what the records of the country say, less what was charged back, and opens to them', async () => {
    const section = await sections({ kind: 'vatReturn', countryCode: 'NG' });
    const rows = section('byRule');
    expect(
      lines(rows, 'currency', 'rule', 'kind', 'count', 'taxable', 'tax').filter((l) => !l.includes(' 0 0 0')),
    ).toEqual(
      await sql(
        `SELECT currency, l->>'rule', kind, count(*), trim_scale(sum((l->>'taxable')::numeric)), trim_scale(sum((l->>'tax')::numeric))
         FROM transactions, jsonb_array_elements(evidence::jsonb->'tax') l
         WHERE psp_id = $1 AND country = 'NG' AND status = 'APPROVED' AND ${inMonth} GROUP BY 1, 2, 3`,
      ),
    );
    expect(rows.some((r) => r.taxReturned !== '0')).toBe(true);
    for (const r of rows) {
      expect(sumOf([r.taxReturned as string, r.taxDue as string])).toBe(r.tax);
      if (r.count !== '0') expect(await rowsAt(r.open as string), r.open).toBe(Number(r.count));
    }
    const due = section('due').find((r) => r.currency === 'NGN');
    expect(due?.taxDue).toBe(sumOf(rows.filter((r) => r.currency === 'NGN').map((r) => r.taxDue as string)));
    const approved = section('byVerdict').filter((r) => r.currency === 'NGN' && r.verdict === 'APPROVED');
    expect(due?.tax).toBe(sumOf(approved.flatMap((r) => [r.vat as string, r.transactionVat as string])));
  });

  it('asks for a country it knows and a month that has begun', async () => {
    const ask = (body: object) => t.post('/v1/report', { kind: 'vatReturn', ...body }, cast.psp.apiKey);
    expectRefusal(await ask({ period, countryCode: 'ZZ' }), 400, 'UNKNOWN_COUNTRY');
    expectRefusal(await ask({ period: '2031-01', countryCode: 'NG' }), 400, 'FIELD_INVALID', /has not started/);
    expectRefusal(await ask({ period }), 400, 'FIELD_INVALID', "the report 'vatReturn' needs the field 'countryCode'");
  });
});

describe('feeStatement', () => {
  it('sums the fees of approved transactions by client and fee row, less those charged back', async () => {
    const section = await sections({ kind: 'feeStatement' });
    const rows = section('byFee');
    expect(
      lines(
        rows.filter((r) => r.count !== '0'),
        'currency',
        'kind',
        'fee',
        'count',
        'processingFee',
        'transactionFee',
      ),
    ).toEqual(
      await sql(
        `SELECT currency, kind, evidence::jsonb->>'fee', count(*), trim_scale(sum(processing_fee)), trim_scale(sum(transaction_fee))
         FROM transactions WHERE psp_id = $1 AND status = 'APPROVED' AND ${inMonth} GROUP BY account_id, 1, 2, 3`,
      ),
    );
    for (const r of rows.filter((x) => x.count !== '0')) expect(await rowsAt(r.open as string)).toBe(Number(r.count));
    for (const c of section('byClient')) {
      const own = rows.filter((r) => r.clientId === c.clientId && r.currency === c.currency);
      expect(c.processingFeeDue).toBe(sumOf(own.map((r) => r.processingFeeDue as string)));
      expect(await rowsAt(c.open as string)).toBe(own.reduce((n, r) => n + Number(r.count), 0));
    }
  });

  it('shows a client its own fees alone', async () => {
    const [client] = cast.clients;
    const section = await sections({ kind: 'feeStatement' }, client?.apiKey);
    expect(new Set(section('byFee').map((r) => r.clientId))).toEqual(new Set([client?.id]));
  });
});

describe('ggrDuty', () => {
  it('has revenue by product line, and duty on what the records contributed', async () => {
    const section = await sections({ kind: 'ggrDuty' });
    const revenue = section('revenue');
    expect(lines(revenue, 'productLine', 'wagers', 'stakes', 'payouts', 'paid')).toEqual(
      await sql(
        `SELECT line, count(*) FILTER (WHERE staked), trim_scale(sum(amount) FILTER (WHERE staked)),
           count(*) FILTER (WHERE NOT staked), trim_scale(coalesce(sum(amount) FILTER (WHERE NOT staked), 0))
         FROM (
           SELECT lower(product_line) AS line, true AS staked, amount FROM wagers WHERE psp_id = $1 AND ${inMonth}
           UNION ALL
           SELECT lower(w.product_line), false, p.amount FROM payouts p JOIN wagers w ON w.psp_id = p.psp_id AND w.id = p.wager_id
           WHERE p.psp_id = $1 AND p.${inMonth}
         ) plays GROUP BY line`,
      ),
    );
    for (const r of revenue) {
      expect(sumOf([r.ggr as string, r.paid as string])).toBe(r.stakes);
      expect(await rowsAt(r.open as string)).toBe(Number(r.wagers));
    }
    // Kenya's is of all product lines together.
    const duty = section('duty').find((d) => d.base === 'GGR_PERIOD');
    expect(duty?.contribution).toBe(sumOf(revenue.map((r) => r.ggr as string)));
    expect(duty?.rate).toMatch(/^\d/);
    expect(await rowsAt(duty?.open as string)).toBe(revenue.reduce((n, r) => n + Number(r.wagers), 0));
  });
});

/** SQL of what a sale says was not paid through the PSP. */
const elsewhere = (method: string) => `coalesce((evidence::jsonb->'notHeld'->>'${method}')::numeric, 0)`;

describe('settlement', () => {
  it('pays each party its parts of approved transactions, and says that everything balances', async () => {
    const section = await sections({ kind: 'settlement' });
    const rows = section('payable');
    expect(
      lines(
        rows.filter((r) => r.approved !== '0'),
        'countryCode',
        'currency',
        'approved',
        'taxAuthority',
        'service',
        'merchant',
        'psp',
      ),
    ).toEqual(
      await sql(
        `SELECT country, currency, count(*), trim_scale(sum(vat_amount + transaction_vat)), trim_scale(sum(processing_fee)),
           trim_scale(sum(remainder - ${['cash', 'vouchers', 'discounts'].map(elsewhere).join(' - ')})),
           trim_scale(sum(transaction_fee))
         FROM transactions WHERE psp_id = $1 AND status = 'APPROVED' AND ${inMonth} GROUP BY account_id, 1, 2`,
      ),
    );
    for (const r of rows.filter((x) => x.approved !== '0'))
      expect(await rowsAt(r.open as string), r.open).toBe(Number(r.approved));
    const postings = section('postings');
    for (const kind of ['APPROVED', 'CHARGED_BACK'] as const) {
      const [p] = postings.filter((x) => x.kind === kind);
      const [n] = await sql(
        `SELECT count(*) FROM transactions x WHERE psp_id = $1 AND status = 'APPROVED' AND ${inMonth}
         AND account_id = '${fromWire('client', p?.clientId as string)}' AND country = '${p?.countryCode}' AND currency = '${p?.currency}'
         AND (${kind === 'APPROVED'} OR EXISTS (SELECT 1 FROM chargebacks c WHERE c.psp_id = x.psp_id AND c.transaction_id = x.id))`,
      );
      expect(await rowsAt(p?.open as string), p?.open).toBe(Number(n));
    }
    for (const o of section('outstanding')) {
      const { parties } = contentOf(await t.get(o.open as string, cast.psp.apiKey));
      const shown = parties.find((x: { party: string }) => x.party === o.party);
      expect([shown.currency, shown.outstanding]).toEqual([o.currency, Number(o.outstanding)]);
    }
    expect(sumOf(postings.map((p) => p.debit as string))).toBe(sumOf(postings.map((p) => p.credit as string)));
  });
});

describe('a month that is over', () => {
  const asked = { kind: 'vatReturn', countryCode: 'NG', period: '2026-10' };
  const behind = (r: { manifest: { inputs: { name: string; value: string }[] } }) =>
    r.manifest.inputs.find((i) => i.name === 'entriesBehind')?.value;
  /** Work while the totals cannot be read on, whatever is journalled. */
  const held = <T>(work: () => Promise<T>): Promise<T> =>
    t.database.admin.transaction(async (tx) => {
      const cursor = await tx.query('SELECT 1 FROM journal_cursors WHERE psp_id = $1 AND reader = $2 FOR UPDATE', [
        cast.psp.uuid,
        totalsReader,
      ]);
      expect(cursor).toHaveLength(1);
      return await work();
    });

  it('is final although asking for its report is journalled, and says the same when made again', async () => {
    await totalled(t);
    const [first, second] = await held(async () => {
      const report = await made(t, asked, cast.psp.apiKey);
      const { reportId } = contentOf(await t.post(`/v1/report/${report.reportId}/rerun`, {}, cast.psp.apiKey));
      return [report, await ended(t, reportId, cast.psp.apiKey)];
    });
    expect([first.provisional, behind(first)]).toEqual([false, undefined]);
    expect([second.provisional, behind(second)]).toEqual([false, undefined]);
    expect(second.changes).toEqual({ since: 1, changed: false, sections: [] });
  });

  it('is provisional while a record is not counted yet', async () => {
    await totalled(t);
    const report = await held(async () => {
      const sale = { currency: 'NGN', countryCode: 'NG', paymentMethods: {}, transactionFee: 0 };
      const [client] = cast.clients;
      const body = { ref: 'not-counted', totalAmount: 10, ...sale };
      expect((await t.post('/v1/transaction/verifyTransaction', body, client?.apiKey)).status).toBe(200);
      return await made(t, asked, cast.psp.apiKey);
    });
    expect([report.provisional, behind(report)]).toEqual([true, '1']);
  });
});
