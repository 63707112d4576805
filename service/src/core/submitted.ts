// What of a transaction's request is shown again, as the caller gave it. Pure; what is personal is not in it.
import { parseJson } from './json.ts';
import type { Numeral } from './money.ts';

/** Fields that were validated for every submission before it was recorded. */
interface Submitted {
  readonly paymentMethods: Readonly<Record<string, Numeral>>;
  readonly mcc: string;
  readonly blochainHash: string;
}

/** The caller's further fields as given, which decide no amount above; personal ones are stored sealed. */
export function submitted(t: { readonly request: string }) {
  const { paymentMethods, mcc, blochainHash } = parseJson(t.request) as Partial<Submitted>;
  return {
    ...(paymentMethods === undefined ? {} : { paymentMethods }),
    ...(mcc === undefined ? {} : { mcc }),
    ...(blochainHash === undefined ? {} : { blochainHash }),
  };
}
