// Decides whether the network named in a record is the account's own or a foreign one. Roaming makes foreign networks
// legitimate, so they cause warnings and findings, never errors.
import type { NumberRanges } from './number-ranges.ts';
import { ownNetworkPercent } from './thresholds.ts';

/** The words of a name in lower case, separated by spaces: `Glo-Mobile Ltd.` becomes `glo mobile ltd`. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Whether one name starts with the words of the other, as `MTN Nigeria Communications PLC` does with `MTN`. */
export function isNamedAlike(a: string, b: string): boolean {
  const [x, y] = [plain(a), plain(b)];
  if (x === '' || y === '') return false;
  return `${x} `.startsWith(`${y} `) || `${y} `.startsWith(`${x} `);
}

export interface NamedAccount {
  readonly name: string;
  /** ISO 3166-1 alpha-2; undefined if the account has none. */
  readonly country: string | undefined;
}

type Names = Pick<NumberRanges, 'networkNamed'>;

const networkOf = (name: string, country: string | undefined, names: Names) =>
  country === undefined ? undefined : names.networkNamed(name, country);

/**
 * Whether a network is foreign to the account, by the names alone.
 * @returns undefined if the account's name is not the name of a network, so there is nothing to compare with
 */
export function isForeignByName(network: string, account: NamedAccount, names: Names): boolean | undefined {
  const own = networkOf(account.name, account.country, names);
  if (own === undefined) return undefined;
  const other = networkOf(network, account.country, names);
  if (other === undefined) return !isNamedAlike(network, account.name);
  return other.network !== own.network || other.country !== own.country;
}

/**
 * Whether a network is foreign to the account, judging by the records of a period. If the names do not decide it, a
 * network is the account's own if its name is like the account's or occurs in a large share of the records.
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
