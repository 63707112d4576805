import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, parseJson } from '../json.ts';
import { Numeral } from '../money.ts';
import {
  byColumn,
  type ColumnValues,
  columnNamed,
  columns,
  firstDifferentColumn,
  fromNested,
  pathOf,
  readValues,
  toNested,
  writeValues,
} from './record.ts';

const body = {
  cdr_id: 'CDR-1',
  caller_number: '+2348031234567',
  call_duration_seconds: 120,
  caller_location: { latitude: new Numeral('6.524400000000000001'), longitude: new Numeral('3.3792') },
  billing_information: { call_cost: new Numeral('0.10'), currency: 'NGN' },
  recording_available: false,
};

/** Any values of the right kind for their column. */
const anyValues = fc
  .record(
    Object.fromEntries(
      columns.map((c) => [
        c,
        fc.oneof(
          fc.string({ minLength: 1 }),
          fc.boolean(),
          fc.bigInt({ min: 0n, max: 10n ** 30n }).map((n) => new Numeral(n.toString())),
        ),
      ]),
    ),
    { requiredKeys: [] },
  )
  .map((v) => v as ColumnValues);

describe('columns of a call detail record', () => {
  test('there are 25, named parent_child, in the order of the specification', () => {
    expect(columns).toEqual([
      'cdr_id',
      'timestamp',
      'caller_number',
      'receiver_number',
      'call_start_time',
      'call_end_time',
      'call_duration_seconds',
      'call_type',
      'call_status',
      'caller_location_latitude',
      'caller_location_longitude',
      'receiver_location_latitude',
      'receiver_location_longitude',
      'network_provider',
      'imei_caller',
      'imei_receiver',
      'billing_information_call_cost',
      'billing_information_currency',
      'billing_information_billing_plan',
      'billing_information_data_used_kb',
      'voip_details_codec',
      'voip_details_packet_loss_percentage',
      'voip_details_jitter_ms',
      'voip_details_latency_ms',
      'recording_available',
    ]);
    expect(columns.toSorted(byColumn)).toEqual(columns);
  });

  test('each is found by its name, its dotted path and its leaf where that is unique, in any case', () => {
    for (const c of columns) {
      expect(columnNamed(c.toUpperCase())).toBe(c);
      expect(columnNamed(` ${pathOf(c)} `)).toBe(c);
    }
    expect(columnNamed('Call_Cost')).toBe('billing_information_call_cost');
    expect(columnNamed('codec')).toBe('voip_details_codec');
  });

  test('a leaf that two columns share names neither, and object members are no columns', () => {
    for (const header of ['latitude', 'longitude', '', 'constructor', '__proto__', 'toString'])
      expect(columnNamed(header)).toBeUndefined();
  });
});

describe('the JSON form', () => {
  test('becomes the text of its columns, numbers as they were written', () => {
    expect(fromNested(body)).toEqual({
      cdr_id: 'CDR-1',
      caller_number: '+2348031234567',
      call_duration_seconds: '120',
      caller_location_latitude: '6.524400000000000001',
      caller_location_longitude: '3.3792',
      billing_information_call_cost: '0.10',
      billing_information_currency: 'NGN',
      recording_available: 'false',
    });
  });

  test('takes nothing from prototypes, nor from a parent that is no object', () => {
    expect(fromNested(Object.create({ cdr_id: 'inherited' }))).toEqual({});
    expect(fromNested({ billing_information: 'text', caller_location: null, voip_details: ['codec'] })).toEqual({});
  });

  test('comes back from canonical values with its numbers exact', () => {
    const nested = toNested({
      cdr_id: 'x',
      caller_location_latitude: new Numeral('6.524400000000000001'),
      call_duration_seconds: new Numeral('120'),
    });
    expect(JSON.stringify(nested)).toBe(
      '{"cdr_id":"x","call_duration_seconds":120,"caller_location":{"latitude":6.524400000000000001}}',
    );
  });

  test('holds every column: to JSON and back loses none', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const back = fromNested(parseJson(JSON.stringify(toNested(values))) as JsonObject);
        const given = Object.fromEntries(
          Object.entries(values).map(([c, v]) => [c, v instanceof Numeral ? v.text : String(v)]),
        );
        const numbers = Object.entries(values).filter(([, v]) => v instanceof Numeral);
        // A number may be written another way; its value is compared by the canonical text.
        for (const [c, v] of numbers)
          expect(writeValues({ [c]: new Numeral(back[c as keyof typeof back] as string) })).toBe(
            writeValues({ [c]: v }),
          );
        for (const [c] of numbers) {
          delete given[c];
          delete (back as Record<string, unknown>)[c];
        }
        expect(back).toEqual(given);
      }),
    );
  });
});

describe('canonical text', () => {
  test('is the same however the record was put together', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const shuffled = Object.fromEntries(Object.entries(values).reverse()) as ColumnValues;
        expect(writeValues(shuffled)).toBe(writeValues(values));
      }),
    );
  });

  test('reads back to the same record', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        expect(writeValues(readValues(writeValues(values)))).toBe(writeValues(values));
        expect(firstDifferentColumn(values, readValues(writeValues(values)))).toBeUndefined();
      }),
    );
  });

  test('does not tell 0.1 from 0.10, but a number from a text', () => {
    expect(writeValues({ voip_details_jitter_ms: new Numeral('0.10') })).toBe(
      writeValues({ voip_details_jitter_ms: new Numeral('1e-1') }),
    );
    expect(writeValues({ cdr_id: new Numeral('1') })).not.toBe(writeValues({ cdr_id: '1' }));
  });

  test('names the first column that differs, also where one record lacks it', () => {
    const one: ColumnValues = { cdr_id: 'x', call_type: 'VOICE', recording_available: true };
    expect(firstDifferentColumn(one, { ...one, call_type: 'SMS', recording_available: false })).toBe('call_type');
    expect(firstDifferentColumn(one, { cdr_id: 'x', call_type: 'VOICE' })).toBe('recording_available');
  });
});
