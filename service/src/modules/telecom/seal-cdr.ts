// Converts a validated record to its stored form: keyed hashes replace telephone numbers and personal columns, so that
// a repetition can be distinguished from a change even after the person was erased.
import { hash } from 'node:crypto';
import type { Party } from '../../core/cdr/fields.ts';
import { maskNumber } from '../../core/cdr/masks.ts';
import {
  byColumn,
  type Column,
  type ColumnValues,
  firstDifferentColumn,
  personalColumns,
  readValues,
  toNested,
  writeValues,
} from '../../core/cdr/record.ts';
import type { CallRecord } from '../../core/cdr/rules.ts';
import type { PspId } from '../../core/ids.ts';
import { canonical } from '../../core/request.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import type { SubjectId, SubjectKeys } from '../kernel/subjects.ts';

export interface Storable {
  /** By column; numbers and personal values as keyed hashes. */
  readonly values: ColumnValues;
  /** The values as JSON text. */
  readonly record: string;
  /** SHA-256 of that text, hex: equal records have equal content, whichever way they came. */
  readonly content: string;
  /** The personal data of each side. */
  readonly personal: { readonly [S in Side]?: PersonalData };
  /** The persons whose keys it needs, for the personal data of a side and for a sealed number. */
  readonly persons: { readonly [S in Side]?: SubjectId };
  readonly masks: { readonly [S in Side]: string };
}

/** The sides of a call. */
export const sides = ['caller', 'receiver'] as const;
export type Side = (typeof sides)[number];
/** Personal columns in the JSON form, to be sealed under a key of that side's number. */
export type PersonalData = Readonly<Record<string, unknown>>;

export const sideOf = (c: Column): Side => (c.includes('receiver') ? 'receiver' : 'caller');

/** Devices and places are hashed per PSP and alike for both sides, so that a shared device can be seen. */
const domainOf = (c: Column) => (c.startsWith('imei') ? 'imei' : c.endsWith('latitude') ? 'latitude' : 'longitude');

/** The services that hash numbers and personal values. */
export interface Hashing {
  readonly vault: Pick<Vault, 'blind'>;
  readonly subjects: Pick<SubjectKeys, 'identify' | 'identifyNumber'>;
}

export function storable(s: Hashing, psp: PspId, call: CallRecord): Storable {
  const values: { -readonly [C in Column]?: ColumnValues[C] } = { ...call.values };
  const personal: { [S in Side]?: { -readonly [C in Column]?: ColumnValues[C] } } = {};
  for (const c of personalColumns) {
    const v = values[c];
    if (v === undefined) continue;
    const side = sideOf(c);
    personal[side] ??= {};
    personal[side][c] = v;
    values[c] = s.vault.blind(`cdr|${psp}|${domainOf(c)}|${canonical(v)}`);
  }
  const nested: { [S in Side]?: PersonalData } = {};
  if (personal.caller) nested.caller = toNested(personal.caller);
  if (personal.receiver) nested.receiver = toNested(personal.receiver);
  const masks = { caller: maskOf(call.caller), receiver: maskOf(call.receiver) };
  const persons: { [S in Side]?: SubjectId } = {};
  for (const side of sides) {
    const { text } = call[side];
    if (masks[side] !== text) {
      persons[side] = s.subjects.identifyNumber(psp, text);
      values[`${side}_number`] = persons[side].subject;
    } else if (personal[side]) persons[side] = s.subjects.identify(psp, text);
  }
  const record = writeValues(values);
  return { values, record, content: contentOf(record), personal: nested, persons, masks };
}

/** An access point is nobody's, however many digits its name has. */
const maskOf = ({ kind, text }: Party) => (kind === 'ACCESS_POINT' ? text : maskNumber(text));

const contentOf = (record: string) => hash('sha256', record, 'hex');

/** The keyed hash of a side's number, if the number is hidden. */
export const hiddenNumber = ({ persons }: Storable, side: Side): string | undefined =>
  persons[side]?.number === undefined ? undefined : persons[side].subject;

/** The form that earlier versions stored, with the numbers unencrypted. */
const asBefore = (stored: Storable, { caller, receiver }: CallRecord): string =>
  writeValues({ ...stored.values, caller_number: caller.text, receiver_number: receiver.text });

/** Whether the record equals the stored one, in its current or earlier form. @param content of the stored record */
export const isSame = (content: string, stored: Storable, call: CallRecord): boolean =>
  content === stored.content || content === contentOf(asBefore(stored, call));

/** The first column that differs from the stored record. @param record the text of the stored record */
export function differentColumn(record: string, stored: Storable, call: CallRecord): Column | undefined {
  const held = readValues(record);
  // In the form other than the stored one, the numbers always differ, and no column before them does.
  const found = [stored.record, asBefore(stored, call)].map((text) => firstDifferentColumn(held, readValues(text)));
  return found
    .filter((c) => c !== undefined)
    .sort(byColumn)
    .at(-1);
}
