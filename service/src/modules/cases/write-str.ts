// Writes a suspicious transaction report of a case: reads its client, transactions and their customers, numbers it, and
// puts it into the case as a sealed file.
import { createHash } from 'node:crypto';
import type { Case } from '../../core/cases/case.ts';
import { type StrPerson, type StrTransaction, strXml } from '../../core/cases/str.ts';
import { fromWire, toWire } from '../../core/ids.ts';
import { mulRatio, ratio } from '../../core/money.ts';
import { refuse } from '../../core/refusal.ts';
import { said } from '../../core/said.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import { findAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { erased, readPersonal } from '../kernel/subjects.ts';
import { findTransaction, personalRow } from '../transactions/index.ts';
import { itemsOf } from './case-store.ts';

export interface StrAsked {
  readonly reportingEntity: string;
  readonly code?: 'STR' | 'SAR' | undefined;
  readonly currency: string;
  readonly rates?: readonly { readonly currency: string; readonly rate: string }[] | undefined;
  readonly codes?: { readonly transmode?: string | undefined; readonly funds?: string | undefined } | undefined;
  readonly reportedBy: StrPerson;
  readonly reason: string;
  readonly action: string;
  readonly indicators: readonly string[];
  readonly transactionIds: readonly string[];
}

const descriptions: Readonly<Record<TransactionRecord['kind'], string>> = {
  verifyTransaction: 'Sale',
  cryptoDeposit: 'Deposit in a crypto-asset',
  cryptoWithdrawal: 'Withdrawal in a crypto-asset',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
};

/** The report as XML, with its number and hash. @throws NOT_FOUND, FIELD_INVALID */
export async function writeStr(s: Needs<'db' | 'subjects'>, c: Case, asked: StrAsked, now: number) {
  const account = await findAccount(s.db, c.psp, c.account);
  if (!account) throw refuse('NOT_FOUND', 'the client of the case does not exist');
  const written = (await itemsOf(s.db, c)).filter((i) => i.content.step === 'str').length;
  const at = new Date(now).toISOString();
  const transactions: StrTransaction[] = [];
  for (const wire of asked.transactionIds) transactions.push(await transactionOf(s, c, asked, wire));
  const reference = `${c.number}-${written + 1}`;
  const xml = strXml({
    ...{ reportingEntity: asked.reportingEntity, reference, code: asked.code ?? 'STR', at, currency: asked.currency },
    // O is other; what it was is said in the comment beside it.
    codes: { transmode: asked.codes?.transmode ?? 'O', funds: asked.codes?.funds ?? 'O' },
    ...{ reportedBy: asked.reportedBy, reason: asked.reason, action: asked.action, indicators: asked.indicators },
    client: {
      name: account.name,
      registrationNumber: account.registrationNumber,
      taxNumber: account.organizationTin,
      country: account.country,
      business: account.classification,
    },
    transactions,
  });
  const bytes = Buffer.from(xml);
  return { reference, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function transactionOf(
  s: Needs<'db' | 'subjects'>,
  c: Case,
  asked: StrAsked,
  wire: string,
): Promise<StrTransaction> {
  const id = fromWire('transaction', wire);
  const t = id && (await findTransaction(s.db, c.psp, id));
  if (!t || t.account !== c.account)
    throw refuse(
      'NOT_FOUND',
      said`the field 'transactionIds' names no transaction of the client: ${wire.slice(0, 40)}`,
    );
  const personal = (await readPersonal(s, t, personalRow(t.id))) as Personal | string | undefined;
  const known = personal === undefined || personal === erased || typeof personal === 'string' ? {} : personal;
  return {
    id: toWire('transaction', t.id),
    ref: t.ref,
    description: `${descriptions[t.kind]}, ${t.status}`,
    at: t.createdAt,
    out: t.kind === 'withdrawal' || t.kind === 'cryptoWithdrawal',
    way: descriptions[t.kind],
    ...inLocal(t, asked),
    country: t.country,
    customer: known.customer && customerOf(known.customer),
    account: accountOf(known.toAddress),
  };
}

interface Personal {
  readonly customer?: { readonly name?: string; readonly email?: string; readonly phoneNumber?: string };
  readonly toAddress?: string | { readonly bank?: string; readonly accountNumber?: string };
}

function customerOf({ name, email, phoneNumber }: NonNullable<Personal['customer']>): StrPerson {
  const words = (name ?? '').trim().split(/\s+/);
  // The schema requires both names; a person with one, or an unknown one, is said to be so.
  const last = words.length > 1 ? words.at(-1) : words[0];
  return {
    firstName: words.length > 1 ? words.slice(0, -1).join(' ') : 'UNKNOWN',
    lastName: last === undefined || last === '' ? 'UNKNOWN' : last,
    email,
    phoneNumber,
  };
}

const accountOf = (to: Personal['toAddress']): StrTransaction['account'] =>
  typeof to === 'string'
    ? { institution: 'Wallet', number: to, bank: false }
    : to?.accountNumber === undefined
      ? undefined
      : { institution: to.bank ?? 'UNKNOWN', number: to.accountNumber, bank: true };

/** The schema lists the currencies of ISO 4217; an asset is said in the comments. */
const iso4217: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The amount in the report's currency, rounded to two decimals. @throws FIELD_INVALID without a rate */
function inLocal(t: TransactionRecord, asked: StrAsked): Pick<StrTransaction, 'amountLocal' | 'foreign'> {
  if (t.currency === asked.currency) return { amountLocal: t.amount, foreign: null };
  const rate = asked.rates?.find((r) => r.currency === t.currency)?.rate;
  if (rate === undefined)
    throw refuse(
      'FIELD_INVALID',
      said`the field 'rates' must say how many ${asked.currency} one ${t.currency} was: ${toWire('transaction', t.id)} is in ${t.currency}`,
    );
  const { n, d } = mulRatio(ratio(t.amount), ratio(rate));
  const cents = (n * 200n + d) / (2n * d);
  const amountLocal = `${cents / 100n}.${(cents % 100n).toString().padStart(2, '0')}`;
  return { amountLocal, foreign: { currency: t.currency, amount: t.amount, rate, iso: iso4217.has(t.currency) } };
}
