// Whose network a record's network_provider names: the account's own, or another one's. Roaming makes other names
// lawful, so that they are told and never refused.
import type { NumberRanges } from './number-ranges.ts';
import { ownNetworkPercent } from './thresholds.ts';

/** Letters and digits of a name, its words by spaces: `Glo-Mobile Ltd.` is `glo mobile ltd`. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether the words of one name begin the other: `MTN` and `MTN Nigeria Communications PLC`. */
export function isNamedAlike(a: string, b: string): boolean {
  const [x, y] = [plain(a), plain(b)];
  if (x === '' || y === '') return false;
  return `${x} `.startsWith(`${y} `) || `${y} `.startsWith(`${x} `);
}

export interface NamedAccount {
  readonly name: string;
  /** ISO 3166-1 alpha-2; undefined where it names none. */
  readonly country: string | undefined;
}

type Names = Pick<NumberRanges, 'networkNamed'>;

const networkOf = (name: string, country: string | undefined, names: Names) =>
  country === undefined ? undefined : names.networkNamed(name, country);

/**
 * Whether a network is another one than the account's, by the names alone.
 * @returns undefined where the account's name is no network's, so that there is nothing to hold the other against
 */
export function isForeignByName(network: string, account: NamedAccount, names: Names): boolean | undefined {
  const own = networkOf(account.name, account.country, names);
  if (own === undefined) return undefined;
  const other = networkOf(network, account.country, names);
  if (other === undefined) return !isNamedAlike(network, account.name);
  return other.network !== own.network || other.country !== own.country;
}

/**
 * Whether a network is another one than the account's, seen over a period. Where the names do not tell, a name that is
 * like the account's, or stands in so many of its records that it is what the account calls itself, is its own.
 */
export const isForeignNetwork = (
  network: string,
  account: NamedAccount,
  names: Names,
  records: number,
  ofAll: number,
): boolean =>
  isForeignByName(network, account, names) ??
  !(isNamedAlike(network, account.name) || records * 100 >= ofAll * ownNetworkPercent);
