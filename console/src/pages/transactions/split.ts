// The split of a transaction as parts, in the order they are subtracted from the gross amount.

import type { Content } from '../../data/assay.ts';
import { isZero, sumsTo } from '../../data/exact.ts';
import { sumOf } from '../../data/sums.ts';
import { named, say } from '../../words/words.ts';

export type Transaction = Content<'getTransaction'>;

export interface Part {
  readonly key: string;
  readonly name: string;
  /** Exact text from the API. */
  readonly amount: string;
  /** The taxes it consists of, if there are several. */
  readonly of?: readonly { readonly name: string; readonly amount: string }[];
  readonly kind: 'tax' | 'fee' | 'rest';
}

/**
 * totalAmount = vatAmount + processingFee + transactionFee + transactionVAT + merchantAmount for a sale; deposits and
 * withdrawals omit transactionVAT, which vatAmount includes there.
 */
export function splitOf(t: Transaction): Part[] {
  const sale = t.type === 'verifyTransaction';
  const part = (key: string, name: string, amount: string | undefined, kind: Part['kind']) =>
    amount === undefined ? [] : [{ key, name, amount, kind }];
  return [
    ...part('vatAmount', say('Tax'), t.vatAmount, 'tax').map((p) => ({
      ...p,
      ...namedBy(taxesOf(t, !sale || 'others'), p),
    })),
    ...part('processingFee', say('Processing fee'), t.processingFee, 'fee'),
    ...part('transactionFee', say('Transaction fee'), t.transactionFee, 'fee'),
    ...(sale
      ? part('transactionVAT', say('Tax on the fees'), t.transactionVAT, 'tax').map((p) => {
          const { name, of = [] } = namedBy(taxesOf(t, 'fees'), p);
          const onFees = of.map((o) => ({ ...o, name: say('{name} on the fees', { name: o.name }) }));
          return { ...p, name: say('{name} on the fees', { name }), ...(onFees.length > 0 ? { of: onFees } : {}) };
        })
      : []),
    ...(sale
      ? part('merchantAmount', say('To the merchant'), t.merchantAmount, 'rest')
      : part('netAmount', say('Net amount'), t.netAmount, 'rest')),
  ];
}

/** The taxes of a record by name: all of them, or for a sale those on its fee or the others. */
function taxesOf(t: Transaction, which: true | 'fees' | 'others'): ReadonlyMap<string, string> {
  const sums = new Map<string, string>();
  for (const l of t.tax ?? []) {
    if (which !== true && (l.base === 'FEE') !== (which === 'fees')) continue;
    // What somebody owes by a return of the period is no part of the amount.
    if (!l.tax || isZero(l.tax) || l.method === 'BY_RETURN') continue;
    const name = named(l.taxName ?? l.taxCode ?? say('Tax'));
    sums.set(name, sumOf([sums.get(name) ?? '0', l.tax]));
  }
  return sums;
}

/** A single tax is labelled with its own name; several are labelled "Tax" and named individually. */
function namedBy(taxes: ReadonlyMap<string, string>, p: Part): Pick<Part, 'name' | 'of'> {
  const [first, ...others] = [...taxes].map(([name, amount]) => ({ name, amount }));
  if (!first || !sumsTo([...taxes.values()], p.amount)) return { name: say('Tax') };
  return others.length === 0 ? { name: first.name } : { name: say('Tax'), of: [first, ...others] };
}

/** The parts with each tax separate. */
export const apart = (parts: readonly Part[]): readonly Part[] =>
  parts.flatMap((p) => p.of?.map((o, i) => ({ ...o, key: `${p.key} ${i}`, kind: p.kind })) ?? [p]);
