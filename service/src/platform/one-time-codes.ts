// One-time codes and recovery codes: makes their secrets and checks what a person types. Stores nothing, and compares
// in constant time.
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { bytesOfStep, digitsOf, stepOf } from '../core/one-time-code.ts';
import { randomSecret } from './random.ts';

/** How many steps a code may be early or late, for clocks that differ. */
const skew = 1;

/** 160 random bits in base32, as code generators take them (RFC 4226, 4). */
export const makeCodeSecret = (): string => base32nopad.encode(randomSecret(20));

/** @param secret as made by `makeCodeSecret` */
export const codeOf = (secret: string, step: number): string =>
  digitsOf(createHmac('sha1', base32nopad.decode(secret)).update(bytesOfStep(step)).digest());

/** The step around this moment whose code this is, the latest if there are two; undefined if there is none. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  let found: number | undefined;
  for (let step = stepOf(now) - skew; step <= stepOf(now) + skew; step++)
    if (isEqual(codeOf(secret, step), code)) found = step;
  return found;
}

/** The address that code generators read from a picture. */
export const codeAddress = (secret: string, email: string): string =>
  `otpauth://totp/Assay:${encodeURIComponent(email)}?secret=${secret}&issuer=Assay`;

/** 80 random bits, in groups that can be typed. */
export const makeRecoveryCode = (): string =>
  base32nopad.encode(randomSecret(10)).toLowerCase().match(/.{4}/g)?.join('-') as string;

/** What is stored of a recovery code. Its 80 random bits need no slow hash. */
export const recoveryHash = (owner: string, code: string): string =>
  hash('sha256', `${owner}|${code.toLowerCase().replaceAll(/[^a-z2-7]/g, '')}`);

function isEqual(a: string, b: string): boolean {
  const [one, two] = [Buffer.from(a), Buffer.from(b)];
  return one.length === two.length && timingSafeEqual(one, two);
}
