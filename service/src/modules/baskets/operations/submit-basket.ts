// Submits a basket, calculates the VAT of its lines and ties it to a transaction of its own.
import { exactJson } from '../../../core/json.ts';
import { divideRounded, formatUnits, pow10 } from '../../../core/money.ts';
import { movedOf } from '../../../core/payments.ts';
import { orThrow, Refusal, refuse, said, stored } from '../../../core/refusal.ts';
import { canonical } from '../../../core/request.ts';
import type { TaxPlan } from '../../../core/tax/book.ts';
import { shareLines, taxOfLines } from '../../../core/tax/goods.ts';
import { profileOn } from '../../../core/tax/supplier.ts';
import type { GoodsCategory } from '../../../core/tax/supplies.ts';
import {
  type Observation,
  planFor,
  price,
  type TransactionRecord,
  taxedParts,
  transactionResource,
} from '../../../core/transaction.ts';
import { PaymentMethods } from '../../../entries/transactions.ts';
import type { Command } from '../../../platform/committer.ts';
import { transactionRow } from '../../../records/transaction-rows.ts';
import { bothAccounts, concerned, concernedAccount, expectAccounts, type HasAccounts } from '../../accounts/index.ts';
import { CountryCode, Currency, priceRefusals, readAmount, readPlace } from '../../kernel/amounts.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import { Amount, type Call, type Needs, operation, Ref, type Reply, Type } from '../../kernel/operation.ts';
import { readPaymentMethods } from '../../kernel/payment-methods.ts';
import { byRequest, recordOnce } from '../../kernel/record-once.ts';
import { refuseUnknownTax } from '../../kernel/unknown-tax.ts';
import {
  type BasketFact,
  type BasketRecord,
  basketByRef,
  basketContent,
  basketResource,
  basketRow,
} from '../basket-store.ts';
import { BasketItem, SubmittedBasket } from '../schemas.ts';

type Item = Type.Static<typeof BasketItem>;

// Spec 4.16
const body = Type.Object({
  ref: Ref(),
  totalAmount: Amount('Basket total.'),
  items: Type.Array(BasketItem, { minItems: 1, maxItems: 5000 }),
  paymentMethods: PaymentMethods,
  currency: Currency,
  countryCode: CountryCode,
});
type Body = Type.Static<typeof body>;
const fields = Object.keys(body.properties);

export const submitBasket = operation({
  id: 'submitBasket',
  method: 'POST',
  path: '/v1/basket/submitBasket',
  spec: '4.16',
  tag: 'Baskets',
  summary: 'Submit a basket and get its VAT and transaction',
  description:
    'Exempt lines bear no VAT, and lines of a category its own rate. Give the transactionId to verifyTransaction (transactionID) when the customer pays.',
  audience: ['psp', 'client'],
  body,
  largeBody: true,
  content: SubmittedBasket,
  example: {
    ref: 'cart-1001',
    totalAmount: 215,
    currency: 'NGN',
    countryCode: 'NG',
    paymentMethods: { card: 215 },
    items: [
      {
        sku: 'BOOK-1',
        title: 'Exercise book',
        description: 'Ruled, 60 leaves',
        quantity: 2,
        price: 53.75,
        subTotal: 107.5,
        vatExempt: true,
      },
      { sku: 'PEN-1', title: 'Pen', description: 'Blue', quantity: 10, price: 10.75, subTotal: 107.5 },
    ],
  },
  refusals: [...priceRefusals, 'REF_CONFLICT'],
  async handle(call, s: Needs<'settings' | 'ids' | 'committer' | 'reference' | 'rates'> & HasAccounts) {
    const account = orThrow(concernedAccount(call.principal, call.onBehalfOf));
    return s.committer.submit(submission(s, call, account, readBasket(s, call)));
  },
});

type Lines = Exclude<ReturnType<typeof readBasket>, Refusal>;

function readBasket(s: Needs<'reference' | 'rates'>, call: Call<Body>) {
  const { body: b } = call;
  const place = readPlace(s, b, false, call.now);
  if (place instanceof Refusal) return place;
  const amount = readAmount('totalAmount', b.totalAmount, place.asset, 'positive');
  if (amount instanceof Refusal) return amount;
  const text = (units: bigint) => formatUnits(units, place.asset.decimals);
  const paid = readPaymentMethods(b.paymentMethods, place.asset, amount);
  if (paid instanceof Refusal) return paid;
  const observations: Observation[] = [...paid.observations];
  const lines: { subTotal: bigint; exempt: boolean; category: GoodsCategory | undefined }[] = [];
  for (const [i, item] of b.items.entries()) {
    const subTotal = readAmount(`items[${i}].subTotal`, item.subTotal, place.asset, 'zero');
    if (subTotal instanceof Refusal) return subTotal;
    const product = lineProduct(item, place.asset.decimals);
    if (product === undefined)
      return refuse(
        'AMOUNT_PRECISION',
        said`the fields 'items[${i}].price' and 'items[${i}].quantity' may have at most 38 digits`,
      );
    if (product !== subTotal && observations.length < 50)
      observations.push({
        code: 'LINE_PRODUCT',
        field: `items[${i}].subTotal`,
        message: stored`price × quantity is ${text(product)}, subTotal is ${text(subTotal)}`,
      });
    lines.push({ subTotal, exempt: item.vatExempt === true, category: item.category });
  }
  const sum = lines.reduce((a, l) => a + l.subTotal, 0n);
  if (sum !== amount)
    observations.push({
      code: 'LINES_SUM',
      field: 'items',
      message: stored`lines sum to ${text(sum)}, totalAmount is ${text(amount)}`,
    });
  return { ...place, amount, lines, payment: paid.payment, observations };
}

function lineProduct(item: Item, decimals: number): bigint | undefined {
  const unit = item.price.decimal;
  const count = item.quantity.decimal;
  if (!unit || !count) return undefined;
  return divideRounded(unit.units * count.units * pow10(decimals), pow10(unit.scale + count.scale), 'HALF_UP');
}

/** The basket as echoed (Spec 2.6), where subTotal is spelled subtotal. */
function echo(b: Body): string {
  const original = {
    ref: b.ref,
    totalAmount: b.totalAmount,
    items: b.items.map(({ subTotal, vatExempt, category, ...rest }) => ({
      ...rest,
      subtotal: subTotal,
      ...(vatExempt === undefined ? {} : { vatExempt }),
      ...(category === undefined ? {} : { category }),
    })),
    paymentMethods: b.paymentMethods,
    currency: b.currency,
    countryCode: b.countryCode,
  };
  return exactJson(original);
}

/** @param read why it is refused; ignored if the ref already has its answer */
function submission(
  s: Needs<'settings' | 'ids' | 'rates' | 'reference'> & HasAccounts,
  call: Call<Body>,
  accountId: string,
  read: Lines | Refusal,
): Command<Reply> {
  const { principal, body: b } = call;
  const at = new Date(call.now).toISOString();
  const key = { psp: principal.psp, space: 'basket', ref: b.ref, account: accountId };
  const who = concerned(s.accounts, principal.psp, accountId);
  const request = canonical(b);
  return recordOnce({
    key,
    held: basketByRef,
    needs: [who.account, who.psp],
    ...byRequest(s, b.ref, fields, ({ basket }: BasketFact) => [basket.request, request]),
    ready(facts, equal) {
      const accounts = bothAccounts(facts, who);
      return read instanceof Refusal && (accounts instanceof Refusal || !equal) ? read : accounts;
    },
    replay: ({ basket }): Reply => ({
      message: 'basket received',
      content: { ...basketContent(basket), status: 'PENDING' },
    }),
    record(_, accounts) {
      if (read instanceof Refusal) return read;
      const question = {
        psp: accounts.psp.testOf ?? principal.psp,
        kind: 'verifyTransaction' as const,
        classification: accounts.account.classification ?? '',
        country: read.country,
        asset: read.asset,
        amount: read.amount,
        transactionFee: 0n,
        payment: read.payment,
        profile: profileOn(accounts.account.taxProfiles, read.country.alpha2, read.date),
        date: read.date,
      };
      const text = (units: bigint) => formatUnits(units, read.asset.decimals);
      const shared = shareLines(read.amount, read.lines);
      const { goods } = shared;
      const asked = { ...question, goods };
      const priced = price(asked, s.rates.book, s.rates.fees);
      if (priced instanceof Refusal) return priced;
      const plan = planFor(question, s.rates.book) as TaxPlan;
      const lineVat = taxOfLines(
        read.lines,
        shared,
        plan,
        taxedParts(asked, plan, s.rates.book).goods,
        movedOf(read.amount, read.payment),
        read.asset,
      );
      const unknown = refuseUnknownTax(s, priced.observations);
      if (unknown) return unknown;
      const basket: BasketRecord = {
        psp: principal.psp,
        id: s.ids.next(),
        account: accountId,
        recordedBy: principal.account,
        ref: b.ref,
        transactionId: s.ids.next(),
        status: 'PENDING',
        revision: 1,
        amount: text(read.amount),
        currency: read.asset.code,
        country: read.country.alpha2,
        vatAmount: priced.vatAmount,
        taxableAmount: text(goods.reduce((sum, g) => sum + g.taxable, 0n)),
        lineVat: lineVat.map(text),
        original: echo(b),
        request,
        observations: [...read.observations, ...priced.observations],
        createdAt: at,
        updatedAt: at,
      };
      const transaction: TransactionRecord = {
        psp: principal.psp,
        id: basket.transactionId,
        account: accountId,
        recordedBy: principal.account,
        kind: 'verifyTransaction',
        ref: null,
        status: 'PENDING',
        reason: null,
        revision: 1,
        amount: basket.amount,
        currency: basket.currency,
        country: basket.country,
        ...priced,
        basketId: basket.id,
        basketRef: b.ref,
        request: '{}',
        observations: [],
        sealed: null,
        subject: null,
        chargeback: null,
        createdAt: at,
        updatedAt: at,
      };
      return {
        id: basket.id,
        reply: { message: 'basket received', content: basketContent(basket) },
        writes: {
          accounts: expectAccounts(accounts.account, accounts.psp),
          rows: [
            basketRow(basket),
            transactionRow(transaction, 'transactions'),
            journalRow(s, principal, at, {
              kind: 'basket.created',
              ...about(basket),
              data: basketResource(basket),
              evidence: priced.evidence,
            }),
            journalRow(s, principal, at, {
              kind: 'transaction.created',
              ...about(transaction),
              data: transactionResource(transaction),
              evidence: priced.evidence,
            }),
          ],
        },
      };
    },
  });
}
