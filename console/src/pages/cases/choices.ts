// The client's transactions as choices of a form: those that the case names, and the client's last ones.
import { groupDigits } from '../../data/amounts.ts';
import type { Content } from '../../data/assay.ts';
import { isIdOf } from '../../data/id-kind.ts';
import { dayInWords } from '../../data/moments.ts';
import { usePsp } from '../../data/psp.tsx';
import { useOp } from '../../data/use-op.ts';
import type { CaseDetail } from './state.tsx';

type Listed = Content<'listTransactions'>['items'][number];

export interface Choices {
  /** Ids of the transactions that alerts and items of the case name. */
  readonly named: readonly string[];
  readonly data: { readonly value: string; readonly label: string }[];
  /** Currencies by id, as far as they are known. */
  readonly currencies: ReadonlyMap<string, string>;
}

export function useTransactionChoices(c: CaseDetail): Choices {
  const { isOperator } = usePsp();
  const about = { clientId: c.clientId, limit: 100 };
  const { data: recent } = useOp('listTransactions', about, isOperator ? { pspId: c.pspId } : {});
  const known = new Map((recent?.items ?? []).map((t) => [t.transactionId, t]));
  const alerts = new Map(c.reviews.map((r) => [r.transactionId, r]));
  const ids = [...alerts.keys(), ...c.items.map((i) => i.about)];
  const named = [...new Set(ids.filter((id): id is string => isIdOf('transaction', id)))];
  const inWords = (amount: Listed['totalAmount'], currency: string, at: string) =>
    `${groupDigits(amount, currency)} ${currency} · ${dayInWords(at.slice(0, 10))}`;
  const labelOf = (id: string) => {
    const [t, alert] = [known.get(id), alerts.get(id)];
    if (t) return `${t.ref} · ${inWords(t.totalAmount, t.currency, t.createdAt)}`;
    // One of before the client's last ones: the alert has its amount, and was opened with it.
    if (alert?.amount && alert.currency) return `${id} · ${inWords(alert.amount, alert.currency, alert.createdAt)}`;
    return id;
  };
  const all = [...new Set([...named, ...known.keys()])];
  const data = all.map((value) => ({ value, label: labelOf(value) }));
  const currencies = new Map(
    all.flatMap((id) => {
      const currency = known.get(id)?.currency ?? alerts.get(id)?.currency;
      return currency ? [[id, currency] as const] : [];
    }),
  );
  return { named, data, currencies };
}
