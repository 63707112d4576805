// Records as authorities see them: their schema, the filters of a list, and how a row is shown.
import { type AccountId, accountFromWire, accountWire, fromWire, toWire } from '../../core/ids.ts';
import { wireNumber } from '../../core/money.ts';
import { type OverseenKind, overseenKinds, seesTax, type View } from '../../core/oversight.ts';
import { notFound } from '../../core/refusal.ts';
import { type TaxedOperation, taxDebtors } from '../../core/tax/rule.ts';
import { namesOf } from '../accounts/index.ts';
import { CurrencyQuery, dayQuery } from '../kernel/day-filter.ts';
import { type Call, Id, Money, Named, type Needs, Nullable, Type } from '../kernel/operation.ts';
import { AmountText } from '../kernel/text-forms.ts';
import { basesOf, operationsOf, taxCodesOf } from '../rates/index.ts';
import { pspsOfDays } from '../totals/index.ts';
import type { Overseen, OverseenFilter } from './overseen-store.ts';
import { asAuthority, daysIn, pspsIn, viewOf } from './view.ts';

/** Whose a row is, as `owners` shows it. */
export const ownerFields = {
  pspId: Type.String({ description: 'The PSP in whose journal it is.' }),
  pspName: Type.String({ description: 'Name of the PSP.' }),
  clientId: Type.String(),
  clientName: Type.String({ description: 'Name of the account.' }),
};

export const AuthorityRecord = Named('AuthorityRecord', 'A record as an authority sees it. It names no person.', {
  recordId: Type.String({ description: 'Id of the transaction, wager or payout.' }),
  type: Type.Enum(overseenKinds),
  ...ownerFields,
  operation: Type.String({ description: 'The operation that recorded it, such as verifyTransaction.' }),
  ref: Nullable(Type.String()),
  status: Type.String({ description: 'PENDING, APPROVED or DECLINED; RECORDED for wagers and payouts.' }),
  amount: Money(),
  currency: Type.String(),
  countryCode: Type.String(),
  day: Type.String({ description: "The day that decided its taxes, `YYYY-MM-DD`, in the country's calendar." }),
  taxes: Type.Array(
    Named('AuthorityTax', 'A tax of a record.', {
      taxCode: Nullable(Type.String(), 'Code of the tax.'),
      rule: Type.String({ description: 'Id of the rule.' }),
      base: Nullable(
        Type.String(),
        'It is what the rule taxes: GROSS_INCLUSIVE for an amount that contains the tax, FEE for the fees of the payment.',
      ),
      owedBy: Nullable(
        Type.Enum(taxDebtors),
        'The debtor of a tax that is no part of the amount and due by a return of the period; null for all others.',
      ),
      taxable: Money(),
      tax: Money(),
    }),
    { description: 'Its taxes, of those that the authority is responsible for.' },
  ),
  basketId: Nullable(Type.String(), 'The basket that it paid for, if baskets are in the view (getAuthorityBasket).'),
  chargedBack: Type.Boolean({ description: 'Whether it was charged back.' }),
  createdAt: Type.String(),
});

export const overseenQuery = {
  ...asAuthority,
  ...dayQuery,
  type: Type.Optional(Type.Enum(overseenKinds, { description: 'Only records of this kind.' })),
  pspId: Type.Optional(Id('Only records of this PSP and its clients.')),
  clientId: Type.Optional(Id('Only records of this account.')),
  taxCode: Type.Optional(Type.String({ description: 'Only records with this tax.', maxLength: 40 })),
  ref: Type.Optional(Type.String({ description: 'Only records with exactly this ref.', maxLength: 200 })),
  currency: CurrencyQuery,
  status: Type.Optional(Type.Enum(['PENDING', 'APPROVED', 'DECLINED', 'RECORDED'])),
  amountFrom: AmountText('Lowest amount, in any currency.'),
  amountTo: AmountText('Highest amount, in any currency.'),
};
type Asked = Type.Static<Type.TObject<typeof overseenQuery>>;

export interface ViewRead {
  readonly view: View;
  /** Tax codes by rule. */
  readonly codes: ReadonlyMap<string, string>;
}

/** Tax codes by rule, of the rules that the view and the tax asked for have in common. */
export const codesIn = ({ view, codes }: ViewRead, taxCode: string | undefined): ReadonlyMap<string, string> =>
  new Map([...codes].filter(([, code]) => seesTax(view, code) && (taxCode ?? code) === code));

/** The rules of `codesIn`; undefined if nothing limits them. */
export const rulesIn = (read: ViewRead, taxCode: string | undefined): readonly string[] | undefined =>
  read.view.taxCodes === null && taxCode === undefined ? undefined : [...codesIn(read, taxCode).keys()];

/** @returns the view, and no filter if nothing in it can be found @throws QUERY_INVALID, NOT_FOUND */
export async function readOverseen(
  s: Needs<'db'>,
  call: Pick<Call<unknown, Asked>, 'principal' | 'query' | 'now'>,
): Promise<ViewRead & { readonly filter: OverseenFilter | undefined }> {
  const { query: q, now } = call;
  const view = await viewOf(s, call);
  const read = { view, codes: await taxCodesOf(s.db, view.country) };
  const days = daysIn(view, q, now);
  const rules = rulesIn(read, q.taxCode);
  const taxed = rules && (await operationsOf(s.db, rules));
  // Where no rule is for a kind, all records of it would be searched for one.
  const kinds: readonly OverseenKind[] = overseenKinds.filter(
    (k) => view.recordKinds.includes(k) && (q.type ?? k) === k && (taxed === undefined || isTaxed(k, taxed)),
  );
  const psps = await pspsIn(s, q.pspId);
  const account = q.clientId === undefined ? undefined : accountIn(q.clientId);
  if (days === undefined || kinds.length === 0) return { ...read, filter: undefined };
  const filter = {
    psps: await pspsOfDays(s.db, { psps, country: view.country, ...days }),
    ...{ kinds, country: view.country, ...days, rules, account, ref: q.ref },
    ...{ currency: q.currency?.toUpperCase(), status: q.status, amountFrom: q.amountFrom, amountTo: q.amountTo },
  };
  return { ...read, filter };
}

/** The account in a query: a client's, or a PSP's own. @throws NOT_FOUND */
export function accountIn(text: string): AccountId {
  const id = accountFromWire(text);
  if (id === undefined) throw notFound();
  return id;
}

/** @throws NOT_FOUND */
export const recordIdIn = ({ params }: Pick<Call, 'params'>): string => {
  const id = overseenKinds.map((k) => fromWire(k, params.recordId ?? '')).find((uuid) => uuid !== undefined);
  if (id === undefined) throw notFound();
  return id;
};

type Owned = Pick<Overseen, 'psp' | 'account'>;

/** Whose a row is: the PSP and the account, with their names. */
export async function owners(s: Needs<'db'>, rows: readonly Owned[]) {
  const names = await namesOf(
    s.db,
    rows.flatMap((r) => [r.psp, r.account]),
  );
  return ({ psp, account }: Owned) => ({
    pspId: toWire('psp', psp),
    pspName: names.get(psp) ?? '',
    clientId: accountWire(psp, account),
    clientName: names.get(account) ?? '',
  });
}

/** Whether one of these operations records a kind. */
const isTaxed = (kind: OverseenKind, taxed: ReadonlySet<TaxedOperation>): boolean =>
  [...taxed].some((o) => o !== 'recordCDR' && (recordedBy[o] ?? 'transaction') === kind);
const recordedBy: Partial<Record<TaxedOperation, OverseenKind>> = { captureWager: 'wager', capturePayout: 'payout' };

/** The code of a rule's tax (null if it is not known), for lines that the view has; undefined for the others. */
export function codeSeen({ view, codes }: ViewRead, rule: string): string | null | undefined {
  const code = codes.get(rule) ?? null;
  return view.taxCodes === null || (code !== null && seesTax(view, code)) ? code : undefined;
}

/** How rows are shown, with the names of their accounts. */
export async function showing(s: Needs<'db'>, read: ViewRead, rows: readonly Overseen[]) {
  const ownerOf = await owners(s, rows);
  const bases = await basesOf(s.db, [...new Set(rows.flatMap((r) => r.evidence.tax.map((t) => t.rule)))]);
  return (r: Overseen) => ({
    recordId: toWire(r.kind, r.id),
    type: r.kind,
    ...ownerOf(r),
    operation: r.operation,
    ref: r.ref,
    status: r.status,
    amount: wireNumber(r.amount),
    currency: r.currency,
    countryCode: r.country,
    day: r.day,
    taxes: r.evidence.tax.flatMap(({ rule, taxable, tax, owedBy = null }) => {
      const taxCode = codeSeen(read, rule);
      const base = bases.get(rule) ?? null;
      return taxCode === undefined
        ? []
        : [{ taxCode, rule, base, owedBy, taxable: wireNumber(taxable), tax: wireNumber(tax) }];
    }),
    basketId: r.basket !== null && read.view.recordKinds.includes('basket') ? toWire('basket', r.basket) : null,
    chargedBack: r.chargedBack,
    createdAt: r.createdAt,
  });
}
