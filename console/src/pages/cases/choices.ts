// The client's transactions as choices of a form: those that the case names, and the client's last ones.
import { groupDigits } from '../../data/amounts.ts';
import type { Content } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';
import { usePsp } from '../../data/psp.tsx';
import { useOp } from '../../data/use-op.ts';
import type { CaseDetail } from './state.tsx';

type Listed = Content<'listTransactions'>['items'][number];

export interface Choices {
  /** Ids of the transactions that alerts and items of the case name. */
  readonly named: readonly string[];
  readonly data: { readonly value: string; readonly label: string }[];
  readonly known: ReadonlyMap<string, Listed>;
}

export function useTransactionChoices(c: CaseDetail): Choices {
  const { isOperator } = usePsp();
  const about = { clientId: c.clientId, limit: 100 };
  const { data: recent } = useOp('listTransactions', about, isOperator ? { pspId: c.pspId } : {});
  const known = new Map((recent?.items ?? []).map((t) => [t.transactionId, t]));
  const ids = [...c.reviews.map((r) => r.transactionId), ...c.items.map((i) => i.about)];
  const named = [...new Set(ids.filter((id): id is string => id?.startsWith('txn_') === true))];
  const labelOf = (t: Listed) =>
    `${t.ref} · ${groupDigits(t.totalAmount, t.currency)} ${t.currency} · ${dayInWords(t.createdAt.slice(0, 10))}`;
  const data = [...new Set([...named, ...known.keys()])].map((value) => {
    const t = known.get(value);
    return { value, label: t ? labelOf(t) : value };
  });
  return { named, data, known };
}
