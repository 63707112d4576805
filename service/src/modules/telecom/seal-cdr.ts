// From a checked record to what is stored of it: personal columns leave it and stand in it as keyed hashes
// only, by which a repetition is told from a change even after the person was erased.
import { createHash } from 'node:crypto';
import { type Column, type ColumnValues, isPersonal, pick, toNested, writeValues } from '../../core/cdr/record.ts';
import type { CallRecord } from '../../core/cdr/rules.ts';
import { canonical } from '../../core/request.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';

export interface Storable {
  /** JSON text by column; personal columns as keyed hashes. */
  readonly record: string;
  /** SHA-256 of that text, hex: equal records have equal content, whichever way they came. */
  readonly content: string;
  /** Personal columns in the JSON form, to be sealed; undefined when there are none. */
  readonly personal: Record<string, unknown> | undefined;
}

/** Devices and places are hashed per PSP and alike for both sides, so that a shared device can be seen. */
const domainOf = (c: Column) => (c.startsWith('imei') ? 'imei' : c.endsWith('latitude') ? 'latitude' : 'longitude');

export function storable(vault: Vault, psp: string, { values }: CallRecord): Storable {
  const personal = pick(values, isPersonal);
  const blinded: ColumnValues = Object.fromEntries(
    Object.entries(personal).map(([c, v]) => [c, vault.blind(`cdr|${psp}|${domainOf(c as Column)}|${canonical(v)}`)]),
  );
  const record = writeValues({ ...values, ...blinded });
  return {
    record,
    content: createHash('sha256').update(record).digest('hex'),
    personal: Object.keys(personal).length === 0 ? undefined : toNested(personal),
  };
}
