// Who lives in a generated world: three operators of one country, their subscribers with a device and some places
// each, and numbers abroad.
import type { Chance } from './chance.ts';

export interface Operator {
  /** As it stands in file names. */
  readonly token: string;
  /** As it stands in network_provider. */
  readonly network: string;
  /** All its numbers begin so. */
  readonly prefix: string;
}

/** Of Nigeria; the first three numbering ranges of three networks. */
export const operators: readonly Operator[] = [
  { token: 'MTN', network: 'MTN Nigeria', prefix: '+234803' },
  { token: 'GLO', network: 'Globacom', prefix: '+234805' },
  { token: '9MOBILE', network: '9mobile', prefix: '+234809' },
];

export interface Place {
  readonly latitude: string;
  readonly longitude: string;
}

export interface Subscriber {
  readonly operator: Operator;
  readonly number: string;
  readonly imei: string;
  readonly places: readonly Place[];
}

/** 15 digits of which the last is the Luhn check digit. */
export function imei(serial: number): string {
  const body = `35${String(serial).padStart(12, '0')}`;
  let sum = 0;
  for (const [i, digit] of [...body].entries()) {
    const twice = Number(digit) * (i % 2 === 1 ? 2 : 1);
    sum += twice > 9 ? twice - 9 : twice;
  }
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const place = (c: Chance): Place => ({
  latitude: (4 + c.next() * 9).toFixed(5),
  longitude: (3 + c.next() * 11).toFixed(5),
});

/** Ordinary people move: each is seen at three places. */
export function subscriber(c: Chance, operator: Operator, n: number): Subscriber {
  const at = operators.indexOf(operator);
  return {
    operator,
    number: `${operator.prefix}${String(1_000_000 + n)}`,
    imei: imei(at * 100_000_000 + n),
    places: [place(c), place(c), place(c)],
  };
}

/** Many SIMs in one place, some in one device. */
export function simBox(c: Chance, operator: Operator, n: number, sims: number): Subscriber[] {
  const where = [place(c)];
  const device = imei(900_000_000 + operators.indexOf(operator) * 1000 + n);
  return Array.from({ length: sims }, (_, i) => ({
    operator,
    number: `${operator.prefix}${String(9_000_000 + n * 100 + i)}`,
    imei: device,
    places: where,
  }));
}

const abroad = ['+4420', '+331', '+1212', '+97150', '+2332'];
export const foreignNetworks = ['Vodafone UK', 'Orange France', 'MTN Ghana'];

export const foreignNumber = (c: Chance): string => `${c.pick(abroad)}${c.whole(1_000_000, 9_999_999)}`;
