// Reads one received record column by column, and collects canonical values, errors and warnings. It knows the forms of
// texts, times and numbers; the rules of each column are in rules.ts and column-rules.ts.

import { steeringCharacter } from '../characters.ts';
import { type Decimal, formatDecimal, Numeral, parseDecimal } from '../money.ts';
import { clip } from '../reference.ts';
import { type Said, said, stored } from '../said.ts';
import { type CallTime, readTime } from './fields.ts';
import type { ErrorCode, RecordError, RecordWarning, WarningCode } from './findings.ts';
import { maskNumber } from './masks.ts';
import {
  byColumn,
  type Column,
  type ColumnValues,
  isPersonal,
  noColumns,
  type RawRecord,
  textLimits,
} from './record.ts';

type Value = string | Numeral | boolean;
const limits: { [C in Column]?: number | undefined } = { ...noColumns<number>(), ...textLimits };

const inOrder = <T extends { column: Column }>(found: T[]): T[] =>
  found.length > 1 ? found.toSorted((a, b) => byColumn(a.column, b.column)) : found;

/** Whether it begins with a visible ASCII character: then it is not blank. */
const beginsVisibly = (text: string) => text.charCodeAt(0) > 32 && text.charCodeAt(0) < 127;

export class Reading {
  readonly #raw: RawRecord;
  readonly #nameOf: (column: Column) => string;
  readonly #values = noColumns<Value>();
  readonly #errors: RecordError[] = [];
  readonly #warnings: RecordWarning[] = [];

  constructor(raw: RawRecord, nameOf: (column: Column) => string) {
    this.#raw = raw;
    this.#nameOf = nameOf;
  }

  /** Every column read so far, in canonical form. */
  get values(): ColumnValues {
    return this.#values;
  }

  /** In column order. */
  get errors(): RecordError[] {
    return inOrder(this.#errors);
  }

  /** In column order. */
  get warnings(): RecordWarning[] {
    return inOrder(this.#warnings);
  }

  /** The column's quoted name, for messages. */
  name(c: Column): string {
    return `'${this.#nameOf(c)}'`;
  }

  /** Whether the column was given; empty is absent. */
  given(c: Column): boolean {
    return this.#raw[c] !== undefined && this.#raw[c] !== '';
  }

  /** @param what the rest of the sentence after "the field 'x'" */
  fail(column: Column, code: ErrorCode, what: string | Said): undefined {
    this.#errors.push({
      column,
      code,
      severity: 'error',
      message: stored`the field ${this.name(column)} ${what}`,
      ...this.#shown(column),
    });
  }

  warn(column: Column, code: WarningCode, what: string | Said): void {
    this.#warnings.push({
      column,
      code,
      severity: 'warning',
      message: stored`the field ${this.name(column)} ${what}`,
      ...this.#shown(column),
    });
  }

  /** Reads a text that was given and is printable with `reader`, and stores its canonical value. */
  read<T>(c: Column, reader: (text: string) => T | undefined, canonical: (v: T) => Value): T | undefined {
    const text = this.#text(c);
    const v = text === undefined ? undefined : reader(text);
    if (v !== undefined) this.#values[c] = canonical(v);
    return v;
  }

  text(c: Column): string | undefined {
    const text = this.#text(c);
    if (text !== undefined) this.#values[c] = text;
    return text;
  }

  time(c: Column): CallTime | undefined {
    return this.read(
      c,
      (t) =>
        readTime(t) ?? this.fail(c, 'TIME_INVALID', 'is not an ISO 8601 UTC date-time such as 2026-11-21T10:00:00Z'),
      (t) => t.text,
    );
  }

  /** @param accept returns the number, or reports an error of the column */
  decimal(c: Column, accept: (d: Decimal) => Decimal | undefined): Decimal | undefined {
    return this.given(c) ? this.#decimal(c, accept) : undefined;
  }

  nonNegative(c: Column, accept = (d: Decimal): Decimal | undefined => d): Decimal | undefined {
    return this.given(c) ? this.#nonNegative(c, accept) : undefined;
  }

  // Apart, since they make functions: most columns of most lines are empty.
  #decimal(c: Column, accept: (d: Decimal) => Decimal | undefined): Decimal | undefined {
    return this.read(
      c,
      (t) => {
        const d = parseDecimal(t);
        return d
          ? accept(d)
          : this.fail(
              c,
              'NUMBER_EXPECTED',
              'must be a number such as 1234.50, with a decimal point, no blanks, and at most 38 digits',
            );
      },
      (d) => new Numeral(formatDecimal(d)),
    );
  }

  #nonNegative(c: Column, accept: (d: Decimal) => Decimal | undefined): Decimal | undefined {
    return this.#decimal(c, (d) => (d.units < 0n ? this.fail(c, 'NEGATIVE', 'must not be negative') : accept(d)));
  }

  #text(c: Column): string | undefined {
    const text = this.#raw[c];
    if (text === undefined || text === '') return undefined;
    const limit = limits[c];
    if (limit !== undefined && text.length > limit)
      return this.fail(c, 'TEXT_TOO_LONG', said`is longer than ${limit} characters`);
    if (!beginsVisibly(text) && text.trim() === '') return this.fail(c, 'TEXT_INVALID', 'is blank');
    const steering = steeringCharacter(text);
    if (steering) return this.fail(c, 'TEXT_INVALID', said`holds ${steering}; leave it out`);
    return text;
  }

  #shown(c: Column): { value?: string } {
    const text = this.#raw[c];
    if (!text || isPersonal(c)) return {};
    return { value: clip(c === 'caller_number' || c === 'receiver_number' ? maskNumber(text) : text) };
  }
}
