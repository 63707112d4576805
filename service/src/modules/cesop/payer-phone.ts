// Whether a payer's telephone number belongs to another country than the one the payment names. Numbers are decrypted
// only for this; only a count is returned.
import type { PspId } from '../../core/ids.ts';
import { countryOfNumber } from '../../platform/number-countries.ts';
import type { Needs } from '../kernel/needs.ts';
import { openPersonal } from '../kernel/subjects.ts';
import type { PaymentRow } from './payments.ts';

type Customer = { readonly customer?: { readonly phoneNumber?: unknown } };

/** Keys are read as of now, not as of the report's moment: an erased person stays erased. */
export async function phonesElsewhere(
  s: Needs<'db' | 'subjects'>,
  psp: PspId,
  rows: readonly PaymentRow[],
): Promise<number> {
  const sealed = rows.flatMap(({ sealed, subject, ...r }) =>
    sealed === null || subject === null ? [] : [{ ...r, sealed, subject }],
  );
  if (sealed.length === 0) return 0;
  const ids = [...new Set(sealed.map((r) => r.subject))].map((subject) => ({ psp, subject }));
  const keys = await s.subjects.load(s.db, ids);
  let n = 0;
  for (const r of sealed) {
    const key = keys.get(s.subjects.text({ psp, subject: r.subject }));
    const data = openPersonal(key, r.sealed, `transactions/${r.uuid}`) as Customer | undefined;
    const phone = data?.customer?.phoneNumber;
    if (typeof phone !== 'string' || !phone.startsWith('+')) continue;
    const country = countryOfNumber(`+${phone.replace(/\D/g, '')}`);
    if (country !== null && country !== r.payerCountry) n++;
  }
  return n;
}
