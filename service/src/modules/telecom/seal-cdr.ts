// From a checked record to what is stored of it: personal columns leave it and stand in it as keyed hashes
// only, by which a repetition is told from a change even after the person was erased.
import { hash } from 'node:crypto';
import { type Column, type ColumnValues, personalColumns, toNested, writeValues } from '../../core/cdr/record.ts';
import type { CallRecord } from '../../core/cdr/rules.ts';
import { canonical } from '../../core/request.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';

export interface Storable {
  /** By column, personal ones as keyed hashes. */
  readonly values: ColumnValues;
  /** The values as JSON text. */
  readonly record: string;
  /** SHA-256 of that text, hex: equal records have equal content, whichever way they came. */
  readonly content: string;
  /** What is personal of each side. */
  readonly personal: { readonly [S in Side]?: PersonalData };
}

/** The sides of a call. */
export const sides = ['caller', 'receiver'] as const;
export type Side = (typeof sides)[number];
/** Personal columns in the JSON form, to be sealed under a key of that side's number. */
export type PersonalData = Readonly<Record<string, unknown>>;

export const sideOf = (c: Column): Side => (c.includes('receiver') ? 'receiver' : 'caller');

/** Devices and places are hashed per PSP and alike for both sides, so that a shared device can be seen. */
const domainOf = (c: Column) => (c.startsWith('imei') ? 'imei' : c.endsWith('latitude') ? 'latitude' : 'longitude');

export function storable(vault: Pick<Vault, 'blind'>, psp: string, { values }: CallRecord): Storable {
  const personal: { [S in Side]?: { -readonly [C in Column]?: ColumnValues[C] } } = {};
  let blinded: { -readonly [C in Column]?: ColumnValues[C] } | undefined;
  for (const c of personalColumns) {
    const v = values[c];
    if (v === undefined) continue;
    const side = sideOf(c);
    personal[side] ??= {};
    personal[side][c] = v;
    blinded ??= { ...values };
    blinded[c] = vault.blind(`cdr|${psp}|${domainOf(c)}|${canonical(v)}`);
  }
  const kept = blinded ?? values;
  const record = writeValues(kept);
  return {
    values: kept,
    record,
    content: hash('sha256', record, 'hex'),
    personal: {
      ...(personal.caller && { caller: toNested(personal.caller) }),
      ...(personal.receiver && { receiver: toNested(personal.receiver) }),
    },
  };
}
