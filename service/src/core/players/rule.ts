// What the law of a country asks for the protection of players: a register of exclusions, a limit for everyone, a delay
// before a limit may rise. Dated and sourced data from service/data/players; pure.

import { isDate, isInForce } from '../calendar.ts';
import { type ReadConfidence, readConfidences } from '../confidence.ts';

export const limitKinds = ['DEPOSIT', 'LOSS', 'STAKE'] as const;
export type LimitKind = (typeof limitKinds)[number];

export const limitPeriods = ['DAY', 'WEEK', 'MONTH'] as const;
export type LimitPeriod = (typeof limitPeriods)[number];

interface Dated {
  readonly id: string;
  /** First day in force, and the first day no longer; null without end. */
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly law: string;
  readonly url: string;
  readonly confidence: ReadConfidence;
  /** Day on which `url` was read, and what it says; null and empty where the rule is assumed. */
  readonly readOn: string | null;
  readonly says: string;
  readonly note: string;
}

/** A limit that applies to every player of the country. */
export interface LimitRule extends Dated {
  readonly kind: 'LIMIT';
  readonly limit: LimitKind;
  readonly period: LimitPeriod;
  readonly currency: string;
  readonly amount: string;
  /** Whether a limit of the player's own may be higher, as where they have shown what they can afford. */
  readonly raisable: boolean;
  /** Whether it counts what is done with one operator; else with all of them together. */
  readonly perOperator: boolean;
}

/** How long a player waits before a limit of their own rises or ends. */
interface DelayRule extends Dated {
  readonly kind: 'RAISE_DELAY';
  readonly hours: number;
  /** Whether the day, week or month of the limit that runs when the player asks has to end as well. */
  readonly afterPeriod?: boolean;
}

/** A register of excluded players. */
export interface RegisterRule extends Dated {
  readonly kind: 'REGISTER';
  readonly register: string;
  /** Whether an exclusion may end before its time. */
  readonly revocable: boolean;
  /** Months that it lasts at least, if it may end before its time. */
  readonly leastMonths?: number;
  /** Months that one lasts at least which a player asks an operator for without naming a day. */
  readonly ownLeastMonths?: number;
}

export type PlayerRule = LimitRule | DelayRule | RegisterRule;

export interface CountryPlayerRules {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** What is known of a country without rules. */
  readonly note?: string;
  readonly rules: readonly PlayerRule[];
}

export interface RaiseDelay {
  readonly hours: number;
  readonly afterPeriod: boolean;
}

/** Hours before a limit rises where no law says so. */
const usualDelayHours = 24;

/** The rules of all countries. */
export class PlayerRules {
  readonly #byCountry: ReadonlyMap<string, readonly PlayerRule[]>;

  constructor(files: readonly CountryPlayerRules[]) {
    this.#byCountry = new Map(files.map((f) => [f.country, f.rules]));
  }

  get countries(): string[] {
    return [...this.#byCountry.keys()].sort();
  }

  of(country: string): readonly PlayerRule[] {
    return this.#byCountry.get(country) ?? [];
  }

  inForce(country: string, day: string): PlayerRule[] {
    return this.of(country).filter((r) => isInForce(r, day));
  }

  limits(country: string, day: string): LimitRule[] {
    return this.inForce(country, day).filter((r) => r.kind === 'LIMIT');
  }

  raiseDelay(country: string | null, day: string): RaiseDelay {
    const rules = country === null ? [] : this.inForce(country, day);
    const rule = rules.find((r) => r.kind === 'RAISE_DELAY');
    return { hours: rule?.hours ?? usualDelayHours, afterPeriod: rule?.afterPeriod === true };
  }

  register(country: string | null, day: string, name: string): RegisterRule | undefined {
    return this.#registers(country, day).find((r) => r.register === name.toUpperCase());
  }

  /** Months that an exclusion lasts at least which a player asks an operator for without naming a day; 0 if no law is known. */
  ownLeastMonths(country: string | null, day: string): number {
    return Math.max(0, ...this.#registers(country, day).map((r) => r.ownLeastMonths ?? 0));
  }

  #registers(country: string | null, day: string): RegisterRule[] {
    return country === null ? [] : this.inForce(country, day).filter((r) => r.kind === 'REGISTER');
  }
}

const texts = ['id', 'law', 'url', 'says', 'note'] as const;
const mayBeEmpty: readonly string[] = ['says', 'note'];

/** Everything wrong with a file, each with the rule it concerns. */
export function playerRuleProblems(file: CountryPlayerRules): string[] {
  if (!/^[A-Z]{2}$/.test(file.country)) return ['country must be ISO 3166-1 alpha-2'];
  const ids = file.rules.map((r) => r.id);
  return file.rules.flatMap((r) => {
    const wrong: string[] = [];
    for (const t of texts)
      if (typeof r[t] !== 'string' || (!mayBeEmpty.includes(t) && r[t] === '')) wrong.push(`${t} is no text`);
    if (ids.filter((id) => id === r.id).length > 1) wrong.push('its id is given twice');
    if (!r.id?.startsWith(`${file.country}-`)) wrong.push(`its id must begin with ${file.country}-`);
    if (!/^https:\/\//.test(r.url)) wrong.push('url must begin with https://');
    if (!isDate(r.validFrom)) wrong.push('validFrom is no date');
    if (r.validTo !== null && !(isDate(r.validTo) && r.validTo > r.validFrom)) wrong.push('validTo is no later date');
    if (!readConfidences.includes(r.confidence)) wrong.push(`confidence must be one of ${readConfidences.join(', ')}`);
    if (r.readOn !== null && !isDate(r.readOn)) wrong.push('readOn is no date');
    if ((r.readOn === null || r.says === '') !== (r.confidence === 'assumed'))
      wrong.push('it has readOn and says if, and only if, it is not assumed');
    wrong.push(...ownProblems(r));
    return wrong.map((w) => `rule ${r.id}: ${w}`);
  });
}

function ownProblems(r: PlayerRule): string[] {
  switch (r.kind) {
    case 'LIMIT':
      return [
        ...(limitKinds.includes(r.limit) ? [] : ['limit is unknown']),
        ...(limitPeriods.includes(r.period) ? [] : ['period is unknown']),
        ...(/^[A-Z]{3}$/.test(r.currency) ? [] : ['currency must be ISO 4217']),
        ...(/^\d+(\.\d+)?$/.test(r.amount) ? [] : ['amount must be decimal text']),
        ...(typeof r.raisable === 'boolean' ? [] : ['raisable must be true or false']),
        ...(typeof r.perOperator === 'boolean' ? [] : ['perOperator must be true or false']),
      ];
    case 'RAISE_DELAY':
      return [
        ...(Number.isInteger(r.hours) && r.hours > 0 ? [] : ['hours must be a whole number above 0']),
        ...(r.afterPeriod === undefined || r.afterPeriod === true ? [] : ['afterPeriod must be true or absent']),
      ];
    case 'REGISTER':
      return [
        ...(r.register ? [] : ['register has no name']),
        ...(typeof r.revocable === 'boolean' ? [] : ['revocable must be true or false']),
        ...(r.leastMonths === undefined || r.revocable
          ? []
          : ['leastMonths is for a register whose exclusions may end early']),
        ...[r.leastMonths, r.ownLeastMonths].flatMap((n) =>
          n === undefined || (Number.isInteger(n) && n > 0 && n <= 120)
            ? []
            : ['least months must be a whole number from 1 to 120'],
        ),
      ];
    default:
      return ['kind is unknown'];
  }
}
