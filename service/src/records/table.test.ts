// A record and its row convert to each other, for every kind of record.
import { describe, expect, it } from 'vitest';
import type { Column, ColumnType } from './column.ts';
import { records } from './index.ts';
import { payouts } from './payouts.ts';
import { reports } from './reports.ts';
import { tableOf } from './table.ts';

const values: Record<ColumnType, unknown> = {
  uuid: '0192d3a0-0000-7000-8000-000000000001',
  text: 'a text',
  int4: 7,
  int8: 9007199254740991,
  numeric: '107.50',
  timestamptz: '2026-11-23T01:02:03.000Z',
  date: '2026-11-23',
  bool: false,
};

describe('a record', () => {
  it('has its properties in camel case, ids under their nouns, and JSON as what it says', () => {
    const table = tableOf(reports);
    const row = {
      ...table.toRow({ parameters: { period: '2026-10' }, manifest: null, asOfSeq: 7 } as never),
      psp_id: 'p',
      series_id: 's',
    };
    expect(row).toMatchObject({ parameters: '{"period":"2026-10"}', manifest: null, as_of_seq: 7 });
    expect(table.fromRow(row)).toMatchObject({
      psp: 'p',
      series: 's',
      parameters: { period: '2026-10' },
      manifest: null,
      asOfSeq: 7,
    });
  });

  it('calls a property otherwise where it is told to', () => {
    const record = tableOf(payouts, { wager_id: 'wagerId' }).fromRow({ wager_id: 'w' } as never);
    expect(record).toMatchObject({ wagerId: 'w' });
    expect(record).not.toHaveProperty('wager');
  });

  it.each(records.map((r) => [r.table, r] as const))('of %s is its row again, null or not', (_, definition) => {
    const table = tableOf(definition);
    for (const some of [true, false]) {
      const row = Object.fromEntries(
        Object.entries<Column>(definition.columns).map(([name, c]) => [
          name,
          c.nullable && !some ? null : c.json ? '{"a":[1]}' : values[c.type],
        ]),
      );
      const record = table.fromRow(row as never);
      expect(Object.keys(record)).toHaveLength(Object.keys(row).length);
      expect(table.toRow(record as never)).toEqual(row);
      const prefixed = Object.fromEntries(Object.entries(row).map(([name, v]) => [`x_${name}`, v]));
      expect(table.fromPrefixed('x_', prefixed as never)).toEqual(record);
    }
  });

  it('is selected by all of its columns, by the table or an alias, under their names or prefixed ones', () => {
    const table = tableOf(payouts);
    const names = Object.keys(payouts.columns);
    expect(table.columns()).toBe(names.map((n) => `payouts.${n}`).join(', '));
    expect(table.columns('p', 'p_')).toBe(names.map((n) => `p.${n} AS p_${n}`).join(', '));
  });
});
