// Shared by wagers and payouts: the place they are taxed in, their taxes, and the `expand` parts of replies.
import { Type } from 'typebox';
import { localDate } from '../../core/calendar.ts';
import { decimal, formatUnits, type Numeral, unitsAt } from '../../core/money.ts';
import { Refusal, refuse, said, stored } from '../../core/refusal.ts';
import { accrualsOf, type GamingAmounts } from '../../core/tax/accruals.ts';
import { gamingPart, gamingTaxation } from '../../core/tax/gaming-place.ts';
import { taxObservations } from '../../core/tax/observations.ts';
import { otherLines } from '../../core/tax/product-lines.ts';
import { gamingTaxes } from '../../core/tax/split.ts';
import { profileOn } from '../../core/tax/supplier.ts';
import { type Evidence, evidenceLines, type Observation } from '../../core/transaction.ts';
import type { Account } from '../accounts/index.ts';
import { asSubmitted } from '../kernel/as-submitted.ts';
import type { Needs } from '../kernel/needs.ts';
import { readPersonal } from '../kernel/subjects.ts';
import type { PlayerPlace } from '../kernel/tax-details.ts';
import { AccrualEvidence, accrualEvidence, type HasRateKeeper, TaxEvidence, taxEvidence } from '../rates/index.ts';
import { expandQuery, readExpand, Submitted } from '../transactions/index.ts';
import { type PayoutRecord, personalFields, type WagerRecord } from './wager-store.ts';

/** Maximum decimals of an amount: requests name no currency, so this is the largest of any asset. */
const MAX_DECIMALS = 18;

/** The amount as plain decimal text. Zero is a free bet's stake, or a lost bet's payout. */
export function readStake(n: Numeral): string | Refusal {
  const d = n.decimal;
  if (!d || d.scale > MAX_DECIMALS)
    return refuse('AMOUNT_PRECISION', said`the field 'amount' has more than ${MAX_DECIMALS} decimals or 38 digits`);
  if (d.units < 0n) return refuse('FIELD_INVALID', "the field 'amount' must be zero or more");
  return formatUnits(d.units, d.scale);
}

export interface GamingPlace {
  /** Country of the record: the one that taxes it, or that of the player if none does. */
  readonly country: string;
  /** Whether a country taxes it. */
  readonly taxed: boolean;
  /** A second country that taxes it too; its taxes are not worked out. */
  readonly also: string | undefined;
  /** Part of the country whose taxes apply, ISO 3166-2, if one is known. */
  readonly subdivision: string | undefined;
  /** Legal tender of the account's country: requests name no currency for wagers. */
  readonly currency: string;
  readonly date: string;
}

/** @param player where the player is, if known; else the wager counts as one from the operator's place */
export const gamingPlace = (
  s: Needs<'reference' | 'rates'>,
  account: Operator,
  now: number,
  player: PlayerPlace | undefined,
): GamingPlace =>
  gamingPlaceOn(s, account, (country) => localDate(s.rates.book.country(country)?.timeZone ?? 'UTC', now), player);

type Operator = Pick<Account, 'country' | 'taxProfiles'>;

/** @param dayIn the local day in a country */
export function gamingPlaceOn(
  s: Needs<'reference' | 'rates'>,
  account: Operator,
  dayIn: (country: string) => string,
  player: PlayerPlace | undefined,
): GamingPlace {
  const operator = account.country ?? 'XX';
  const known = s.reference.country(operator);
  const currency =
    s.rates.book.country(operator)?.currency ?? (known instanceof Refusal ? null : known.currency) ?? 'XXX';
  const { by, also } = gamingTaxation(
    { operator, player: player?.country },
    (c) => s.rates.book.country(c),
    dayIn(operator),
  );
  const country = by ?? player?.country ?? operator;
  const date = dayIn(country);
  const parts = {
    player: player?.country === country ? player.subdivision : undefined,
    operator: profileOn(account.taxProfiles, country, date)?.subdivision ?? undefined,
  };
  const subdivision = gamingPart(parts, s.rates.book.country(country), date);
  return { country, taxed: by !== undefined, also, subdivision, currency, date };
}

/** A payout, its wager's stake, and what the wager paid before. */
interface PayoutOf {
  readonly amount: string;
  readonly stake: string;
  readonly paid: string;
  /** What of that gave the stake back. */
  readonly returned: string;
  /** Whether it gives the stake back itself. */
  readonly stakeReturned: boolean;
}

/**
 * A payout with what it adds to the winnings: all payouts of the wager minus its stake, never below zero. A stake that is
 * given back is no payout of a win, to any tax on wins.
 */
export function payoutAmounts({ amount: payout, stake, paid, returned, stakeReturned }: PayoutOf): GamingAmounts {
  if (stakeReturned) return { payout: '0', winnings: '0', returned: payout };
  const units = (text: string) => unitsAt(decimal(text), MAX_DECIMALS) as bigint;
  const won = (all: bigint) => (all > units(stake) ? all - units(stake) : 0n);
  const wonBefore = won(units(paid));
  return {
    payout,
    winnings: formatUnits(won(units(paid) + units(payout)) - wonBefore, MAX_DECIMALS),
    paidBefore: formatUnits(units(paid) - units(returned), MAX_DECIMALS),
    wonBefore: formatUnits(wonBefore, MAX_DECIMALS),
  };
}

/** Taxes of a wager or payout and its contributions to periodic ones; stored for reports, never part of a reply's split. */
export function gamingEvidence(
  s: Needs<'reference' | 'rates'>,
  place: GamingPlace,
  account: Pick<Account, 'classification'>,
  operation: 'captureWager' | 'capturePayout',
  productLine: string,
  amounts: GamingAmounts,
): { evidence: Evidence; observations: Observation[] } {
  const line = productLine.toLowerCase();
  const plan = place.taxed
    ? s.rates.book.plan({
        jurisdiction: place.country,
        operation,
        classification: account.classification ?? '',
        subdivision: place.subdivision,
        productLine: line,
        date: place.date,
      })
    : undefined;
  const asset = s.reference.asset(place.currency, place.date, true);
  const decimals = asset instanceof Refusal ? 2 : asset.decimals;
  // Taxes are calculated in the currency's smallest unit; for the base, digits of a stake beyond it are dropped.
  const units = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const d = decimal(text);
    return unitsAt(d, decimals) ?? d.units / 10n ** BigInt(d.scale - decimals);
  };
  const bases = Object.entries(amounts).map(([name, text]) => [name, units(text)] as const);
  const lines = plan
    ? gamingTaxes(plan, Object.fromEntries(bases.filter(([, v]) => v !== undefined)), {
        code: place.currency,
        decimals,
      })
    : [];
  const text = (u: bigint) => formatUnits(u, decimals);
  const observations: Observation[] = plan ? taxObservations(plan, place.date, { code: place.currency, decimals }) : [];
  if (!plan || plan.others.length + plan.accruals.length === 0) observations.push(untaxed(place));
  const { date, subdivision } = place;
  const others = plan ? otherLines(rulesOf(s, place.country), plan, { operation, date, line, subdivision }) : [];
  if (others.length > 0) observations.push(lineUnknown(productLine, place.country, others));
  if (place.also !== undefined) observations.push(taxedTwice(place.also, place.country));
  return {
    evidence: {
      dataset: s.rates.book.version,
      date: place.date,
      tax: evidenceLines(lines, text),
      fee: null,
      ...(place.subdivision === undefined ? {} : { subdivision: place.subdivision }),
      ...(amounts.returned === undefined ? {} : { stakeReturned: true as const }),
      accruals: plan ? accrualsOf(plan, line, amounts) : [],
    },
    observations,
  };
}

/** Observation on a record that no country taxes. */
export const playerAbroad = 'PLAYER_ABROAD';

const untaxed = ({ taxed, country, date }: GamingPlace): Observation =>
  taxed
    ? {
        code: 'NO_TAX_RULE',
        field: 'countryCode',
        message: stored`no gaming tax rule for country '${country}' on ${date}; recorded without tax`,
      }
    : {
        code: playerAbroad,
        field: 'taxDetails.customerCountry',
        message: stored`the operator's country taxes players there only, and ${country} taxes operators there only; recorded without tax`,
      };

const rulesOf = (s: Needs<'rates'>, country: string) => s.rates.book.country(country)?.rules ?? [];

const lineUnknown = (line: string, country: string, others: readonly string[]): Observation => ({
  code: 'PRODUCT_LINE_UNKNOWN',
  field: 'type',
  message: stored`no tax rule of ${country} names the product line '${line}', which is no exemption; it taxes ${others.join(', ')}`,
});

const taxedTwice = (also: string, country: string): Observation => ({
  code: 'TAXED_TWICE',
  field: 'taxDetails.customerCountry',
  message: stored`the law of ${also} taxes it too, as that of its operator; only the taxes of ${country} were worked out`,
});

/** What `expand=tax` adds to a reply. */
const evidenceFields = {
  localDate: Type.Optional(
    Type.String({ description: 'Day in the country that decided which rules apply. With `expand=tax` only.' }),
  ),
  tax: Type.Optional(Type.Array(TaxEvidence, { description: 'Each tax of the record. With `expand=tax` only.' })),
  accruals: Type.Optional(
    Type.Array(AccrualEvidence, { description: 'For taxes by periodic return. With `expand=tax` only.' }),
  ),
};

/** What `expand=tax` adds to the reply to a submission. */
export const receiptParts = {
  currency: Type.Optional(Type.String({ description: 'ISO 4217 code of the amounts. With `expand=tax` only.' })),
  ...evidenceFields,
};

/** What `expand` adds to a record. */
export const recordParts = { ...evidenceFields, request: Submitted };

const parts = ['tax'] as const;
const shownParts = [...parts, 'request'] as const;

/** Query parameters of captureWager and capturePayout. */
export const gamingQuery = Type.Object({ expand: expandQuery(parts) });
/** Query parameters for reading wagers and payouts. */
export const shownQuery = Type.Object({ expand: expandQuery(shownParts) });

/** @throws QUERY_INVALID for an unknown part */
export const readParts = (expand: string | undefined): ReadonlySet<string> => readExpand(expand, parts);
/** @throws QUERY_INVALID for an unknown part */
export const readShownParts = (expand: string | undefined): ReadonlySet<string> => readExpand(expand, shownParts);

/** The resource with the requested parts, personal ones decrypted. @param row context under which they are sealed */
export async function shown(
  s: Needs<'db' | 'subjects'> & HasRateKeeper,
  resource: object,
  record: WagerRecord | PayoutRecord,
  row: string,
  asked: ReadonlySet<string>,
): Promise<object> {
  const content = await expanded(s, resource, record, asked);
  if (!asked.has('request')) return content;
  const opened = await readPersonal(s, record, row);
  return { ...content, request: asSubmitted(record.request, personalFields, opened) };
}

/** The content, with its taxes if requested. */
export async function expanded(
  s: HasRateKeeper,
  content: object,
  record: { readonly currency: string; readonly evidence: Evidence },
  asked: ReadonlySet<string>,
): Promise<object> {
  if (!asked.has('tax')) return content;
  return {
    ...content,
    currency: record.currency,
    localDate: record.evidence.date,
    tax: await taxEvidence(s, record.evidence),
    accruals: await accrualEvidence(s, record.evidence),
  };
}
