// Writes a suspicious transaction report of a case: reads its client, transactions and their customers, numbers it, and
// puts it into the case as a sealed file.
import { createHash } from 'node:crypto';
import type { Case } from '../../core/cases/case.ts';
import {
  type StrAccount,
  type StrAddress,
  type StrCodes,
  type StrPerson,
  unknown,
} from '../../core/cases/goaml-parts.ts';
import { type StrTransaction, strXml } from '../../core/cases/str.ts';
import { fromWire, toWire } from '../../core/ids.ts';
import { mulRatio, ratio } from '../../core/money.ts';
import { refuse, said } from '../../core/refusal.ts';
import { isWithdrawal, type TransactionRecord } from '../../core/transaction.ts';
import { phoneParts } from '../../platform/identifiers.ts';
import { findAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import { erased, readPersonal } from '../kernel/subjects.ts';
import { findTransaction, personalRow } from '../transactions/index.ts';
import { ownersOfClients } from '../verification/index.ts';

export interface StrAsked {
  readonly reportingEntity: string;
  readonly code?: 'STR' | 'SAR' | undefined;
  readonly currency: string;
  readonly rates?: readonly { readonly currency: string; readonly rate: string }[] | undefined;
  readonly codes?: StrCodes | undefined;
  readonly clientAddress?: StrAddress | undefined;
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

/** The report as XML, with its number and hash. @param number counts the reports of the case @throws NOT_FOUND, FIELD_INVALID */
export async function writeStr(s: Needs<'db' | 'subjects'>, c: Case, number: number, asked: StrAsked, now: number) {
  const account = await findAccount(s.db, c.psp, c.account);
  if (!account) throw refuse('NOT_FOUND', 'the client of the case does not exist');
  if (asked.code !== 'SAR' && asked.transactionIds.length === 0)
    throw refuse('FIELD_INVALID', "the field 'transactionIds' must name a transaction; a report without any is a SAR");
  refuseRates(asked);
  const at = new Date(now).toISOString();
  const transactions: StrTransaction[] = [];
  for (const wire of new Set(asked.transactionIds)) transactions.push(await transactionOf(s, c, asked, wire));
  const reference = `${c.number}-${number}`;
  const xml = strXml({
    ...{ reportingEntity: asked.reportingEntity, reference, code: asked.code ?? 'STR', at, currency: asked.currency },
    codes: asked.codes ?? {},
    ...{ reportedBy: asked.reportedBy, reason: asked.reason, action: asked.action, indicators: asked.indicators },
    client: {
      name: account.name,
      registrationNumber: account.registrationNumber,
      taxNumber: account.organizationTin,
      country: account.country,
      business: account.classification,
      address: asked.clientAddress,
      directors: await directorsOf(s, c),
    },
    transactions,
  });
  const bytes = Buffer.from(xml);
  return { reference, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** @throws FIELD_INVALID for a rate of 0, two of a currency, and one of the report's own, which would be left out without a word */
function refuseRates({ rates = [], currency: local }: StrAsked): void {
  for (const [i, { currency, rate }] of rates.entries()) {
    if (currency === local)
      throw refuse('FIELD_INVALID', said`the field 'rates' names ${currency}, in which the report is`);
    if (rates.some((r, j) => j < i && r.currency === currency))
      throw refuse('FIELD_INVALID', said`the field 'rates' names ${currency} twice`);
    if (ratio(rate).n === 0n)
      throw refuse('FIELD_INVALID', said`the field 'rates' says that one ${currency} was 0 ${local}`);
  }
}

async function directorsOf(s: Needs<'db' | 'subjects'>, c: Case): Promise<StrPerson[]> {
  const [shown] = await ownersOfClients(s, s.db, [c]);
  return (shown?.owners ?? [])
    .filter((o) => o.director)
    .map((o) => ({ ...namesOf(o.name), birthDate: o.dateOfBirth, nationality: o.countryCode ?? undefined }));
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
    out: isWithdrawal(t),
    way: descriptions[t.kind],
    ...inLocal(t, asked),
    country: t.country,
    customer: known.customer && customerOf(known.customer, t.country),
    account: accountOf(known.toAddress ?? known.fromAddress),
  };
}

interface Personal {
  readonly customer?: { readonly name?: string; readonly email?: string; readonly phoneNumber?: string };
  /** A wallet, or an object in the caller's own form. */
  readonly toAddress?: string | Readonly<Record<string, unknown>>;
  readonly fromAddress?: string;
}

/** The schema requires both names; of a person with one, or none, the other is said to be unknown. */
function namesOf(name: string): Pick<StrPerson, 'firstName' | 'lastName'> {
  const words = name.trim().split(/\s+/);
  return {
    firstName: words.length > 1 ? words.slice(0, -1).join(' ') : unknown,
    lastName: words.at(-1) || unknown,
  };
}

const customerOf = (
  { name = '', email, phoneNumber }: NonNullable<Personal['customer']>,
  country: string,
): StrPerson => ({
  ...namesOf(name),
  ...{ email, phoneNumber, phone: phoneParts(phoneNumber, country) },
});

/** Of bank details, whose form is the caller's: the fields that most have. */
function accountOf(to: Personal['toAddress']): StrAccount | undefined {
  if (typeof to === 'string') return { institution: 'Wallet', number: to, bank: false };
  const said = (...names: readonly string[]) =>
    names.map((n) => to?.[n]).find((v): v is string => typeof v === 'string' && v.trim() !== '');
  const number = said('accountNumber', 'iban', 'account');
  return number === undefined
    ? undefined
    : { institution: said('bank', 'bankName') ?? unknown, swift: said('swift', 'bic'), number, bank: true };
}

/** The schema lists the currencies of ISO 4217; a crypto asset is named in the comments. */
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
