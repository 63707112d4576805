// How schemas are written: exact amounts, and objects that the published contract refers to by their name.
import { Type } from 'typebox';
import type { Numeral } from '../core/money.ts';

/** A number whose exact decimal text is kept (a Numeral, never a double). */
export const Exact = (options: object = {}) => Type.Unsafe<Numeral>({ type: 'number', ...options });

/** An exact amount of money. */
export const Amount = (description: string, options: object = { exclusiveMinimum: 0 }) =>
  Exact({ $id: 'Amount', 'x-about': description, ...options });

/** An exact amount of money that may be zero. */
export const AmountOrZero = (description: string) => Amount(description, { minimum: 0 });

/** An exact amount of money as a reply shows it. */
export const Money = (description?: string) =>
  Type.Number({ $id: 'Amount', ...(description === undefined ? {} : { 'x-about': description }) });

/** An object that the published contract refers to by its name. */
export const Named = <P extends Type.TProperties>(name: string, description: string, properties: P) =>
  Type.Object(properties, { $id: name, description });

/** A named object that has all that another one has, and more: the published contract refers to the other for the rest. */
export const Extended = <B extends Type.TProperties, P extends Type.TProperties>(
  base: Type.TObject<B>,
  name: string,
  description: string,
  properties: P,
) => Type.Object({ ...base.properties, ...properties }, { $id: name, description, 'x-extends': base });

/** A value or null. */
export const Nullable = <T extends Type.TSchema>(t: T, description?: string) =>
  Type.Union([t, Type.Null()], description === undefined ? {} : { description });
