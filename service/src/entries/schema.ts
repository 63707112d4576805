// Building blocks of schemas: exact amounts, and objects that the published contract refers to by name.
import { Type } from 'typebox';
import type { Numeral } from '../core/money.ts';

export { Type };

/** A number with its exact decimal text (a Numeral, never a double). */
export const Exact = (options: object = {}) => Type.Unsafe<Numeral>({ type: 'number', ...options });

/** An exact amount of money. */
export const Amount = (description: string, options: object = { exclusiveMinimum: 0 }) =>
  Exact({ $id: 'Amount', 'x-about': description, ...options });

/** An exact amount of money that may be zero. */
export const AmountOrZero = (description: string) => Amount(description, { minimum: 0 });

/** An exact amount of money in a reply. */
export const Money = (description?: string) =>
  Type.Number({ $id: 'Amount', ...(description === undefined ? {} : { 'x-about': description }) });

/** An object that the published contract refers to by name. */
export const Named = <P extends Type.TProperties>(name: string, description: string, properties: P) =>
  Type.Object(properties, { $id: name, description });

/** A named object that extends another one: the published contract refers to the other for the common members. */
export const Extended = <B extends Type.TProperties, P extends Type.TProperties>(
  base: Type.TObject<B>,
  name: string,
  description: string,
  properties: P,
) => Type.Object({ ...base.properties, ...properties }, { $id: name, description, 'x-extends': base });

/** A value or null. */
export const Nullable = <T extends Type.TSchema>(t: T, description?: string) =>
  Type.Union([t, Type.Null()], description === undefined ? {} : { description });

/**
 * A record as its schema declares it: the schema's members in their order, each as `own` gives it, or else the record's
 * property of that name.
 */
export function resourceOf<
  P extends Type.TProperties,
  R extends object,
  O extends { readonly [K in Exclude<keyof P, keyof R>]: unknown },
>(
  schema: Type.TObject<P>,
  record: R,
  own: O & { readonly [K in Exclude<keyof O, keyof P>]: never },
): { [K in keyof P]: K extends keyof O ? O[K] : K extends keyof R ? R[K] : never } {
  const values: Readonly<Record<string, unknown>> = { ...record, ...own };
  return Object.fromEntries(Object.keys(schema.properties).map((name) => [name, values[name]])) as never;
}
