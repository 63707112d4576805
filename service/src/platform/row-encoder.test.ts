// Rows in PostgreSQL's binary format, read back from a real PostgreSQL: every value arrives unchanged.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase, type TestDatabase } from '../../test/support/app.ts';
import { decimal, formatUnits } from '../core/money.ts';
import { BegunRows, type Columns, encodeNumbers, encodeRows, type RowValues } from './row-encoder.ts';

const columns: Columns = [
  ['u', 'uuid'],
  ['t', 'text'],
  ['i', 'int4'],
  ['b', 'int8'],
  ['n', 'numeric'],
  ['z', 'timestamptz'],
  ['d', 'date'],
  ['l', 'bool'],
];

let database: TestDatabase;
let rowType: number;
beforeAll(async () => {
  database = await makeDatabase();
  await database.admin.query(
    'CREATE TABLE sample (u uuid, t text, i int4, b int8, n numeric, z timestamptz, d date, l boolean)',
  );
  const [r] = await database.admin.query<{ o: number }>("SELECT 'sample'::regtype::oid::integer AS o");
  rowType = r?.o as number;
});
afterAll(() => database.drop());

const back = (rows: readonly RowValues[]) =>
  database.admin.query(
    `SELECT u, t, i, b::text AS b, n::text AS n, z, d::text AS d, l FROM unnest($1::sample[]) WITH ORDINALITY AS s(u, t, i, b, n, z, d, l, o) ORDER BY o`,
    [encodeRows(columns, rowType, rows)],
  );

const nullable = <T>(a: fc.Arbitrary<T>) => fc.option(a, { freq: 6 });
const numeric = fc
  .tuple(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), fc.integer({ min: 0, max: 38 }))
  .map(([units, scale]) => formatUnits(units, scale));
const row = fc.record({
  u: nullable(fc.uuid()),
  t: nullable(fc.string({ unit: 'binary', maxLength: 60 }).map((s) => s.replaceAll('\0', ''))),
  i: nullable(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  b: nullable(fc.maxSafeInteger()),
  n: nullable(numeric),
  z: nullable(
    fc
      .date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
      .map((d) => d.toISOString()),
  ),
  d: nullable(
    fc
      .date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
      .map((d) => d.toISOString().slice(0, 10)),
  ),
  l: nullable(fc.boolean()),
});

describe('encoded rows', () => {
  it('read back as they were given, in their order, nulls as nulls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
        const wanted = rows.map((r) => ({
          ...r,
          b: r.b === null ? null : String(r.b),
          // The server keeps the given decimals: 1.50 stays 1.50.
          n: r.n === null ? null : r.n.replace(/^-(0(\.0*)?)$/, '$1'),
        }));
        expect(await back(rows)).toEqual(wanted);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    '0',
    '0.00',
    '-0.01',
    '1',
    '10',
    '9999',
    '10000',
    '100000000',
    '10000.0001',
    '0.0001',
    '0.00001',
    '0.000000000000000001',
    '107.50',
    '12345678901234567890.123456789012345678',
    '-99999999999999999999999999999999999999',
  ])('hold the number %s exactly', async (n) => {
    const [r] = await back([{ n }]);
    expect(r?.n).toBe(n);
    const [same] = await database.admin.query<{ equal: boolean }>(
      'SELECT bool_and(s.n = $2::numeric AND hashtext(s.n::text) = hashtext($2::numeric::text)) AS equal FROM unnest($1::sample[]) s',
      [encodeRows(columns, rowType, [{ n }]), n],
    );
    expect(same?.equal).toBe(true);
    expect(decimal(r?.n as string)).toEqual(decimal(n));
  });

  it('grow past any first size, and leave no trace of the call before', async () => {
    const long = 'ü😀'.repeat(200_000);
    expect((await back([{ t: long }]))[0]?.t).toBe(long);
    expect(await back([{ t: 'x' }])).toEqual([
      { u: null, t: 'x', i: null, b: null, n: null, z: null, d: null, l: null },
    ]);
  });

  it('may be none', async () => {
    expect(await back([])).toEqual([]);
  });
});

describe('begun rows', () => {
  const names = columns.map(([name]) => name);

  it('give the bytes of encoded rows, whichever columns come later, and again with other values of these', () =>
    fc.assert(
      fc.property(fc.subarray(names), fc.array(fc.tuple(row, row), { maxLength: 8 }), (later, pairs) => {
        const rows = new BegunRows(columns, new Set(later));
        const known = (r: RowValues) => Object.fromEntries(Object.entries(r).filter(([name]) => !later.includes(name)));
        for (const [first] of pairs) rows.add(known(first));
        expect(rows.length).toBe(pairs.length);
        for (const pick of [
          ([first]: (typeof pairs)[number]) => first,
          ([, second]: (typeof pairs)[number]) => second,
        ]) {
          const whole = pairs.map((pair) => {
            const others = Object.entries(pick(pair)).filter(([name]) => later.includes(name));
            return { ...pair[0], ...Object.fromEntries(others) };
          });
          const told: string[] = [];
          const expected = encodeRows(columns, rowType, whole, (_, bytes) =>
            told.push(Buffer.from(bytes).toString('hex')),
          );
          const seen: string[] = [];
          const found = rows.encode(
            rowType,
            (i) => pick(pairs[i] as (typeof pairs)[number]),
            (i, bytes) => seen.push(`${i} ${Buffer.from(bytes).toString('hex')}`),
          );
          expect(expected.equals(found)).toBe(true);
          expect(seen).toEqual(told.map((bytes, i) => `${i} ${bytes}`));
        }
        rows.end();
        expect(rows.length).toBe(0);
      }),
    ));

  it('grow past any first size, and leave other rows as they are', async () => {
    const [one, other] = [new BegunRows(columns, new Set(['i'])), new BegunRows(columns, new Set(['i']))];
    const long = 'ü😀'.repeat(100_000);
    for (let i = 0; i < 3; i++) {
      one.add({ t: `${i}${long}` });
      other.add({ t: `other ${i}` });
    }
    const texts = (rows: BegunRows) =>
      database.admin.query<{ t: string; i: number }>('SELECT t, i FROM unnest($1::sample[])', [
        rows.encode(
          rowType,
          (i) => ({ i: 7 * i }),
          () => {},
        ),
      ]);
    expect(await texts(one)).toEqual([0, 1, 2].map((i) => ({ t: `${i}${long}`, i: 7 * i })));
    expect(() => one.add({ n: 1 })).toThrow();
    expect(await texts(other)).toEqual([0, 1, 2].map((i) => ({ t: `other ${i}`, i: 7 * i })));
  });
});

describe('encoded numbers', () => {
  it('are an integer array', async () => {
    for (const list of [[], [0], [3, 1, 2]]) {
      const [r] = await database.admin.query<{ a: number[] }>('SELECT $1::integer[] AS a', [encodeNumbers(list)]);
      expect(r?.a).toEqual(list);
    }
  });
});
