// The one source of randomness and of new ids.
import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Measured: a short draw of its own takes more than ten times as long as its share of one for many. */
const pool = Buffer.allocUnsafe(8192);
const longestPooled = 64;
let used = pool.length;

function take(n: number): number {
  if (used + n > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const at = used;
  used += n;
  return at;
}

/** Creates UUIDv7 ids that never go backwards within a process, even if the clock does. */
export class IdMaker {
  readonly #clock: Clock;
  #lastMs = 0;
  #counter = 0;
  /** The text of the time, and which time it is. */
  #time = '';
  #timeMs = -1;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new id: 48 bits of milliseconds, 12 bits of counter, 62 random bits. */
  next(): string {
    const now = this.#clock();
    if (now > this.#lastMs) {
      this.#lastMs = now;
      this.#counter = (pool[take(1)] as number) & 0x7f;
    } else if (++this.#counter > 0xfff) {
      this.#lastMs++;
      this.#counter = 0;
    }
    if (this.#lastMs !== this.#timeMs) {
      this.#timeMs = this.#lastMs;
      const time = this.#timeMs.toString(16).padStart(12, '0');
      this.#time = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    }
    const at = take(8);
    pool[at] = ((pool[at] as number) & 0x3f) | 0x80;
    const random = pool.toString('hex', at, at + 8);
    const counter = this.#counter.toString(16).padStart(3, '0');
    return `${this.#time}${counter}-${random.slice(0, 4)}-${random.slice(4)}`;
  }
}

/** A UUID of version 4, for external formats that require one. */
export const randomUuid = (): string => randomUUID();

/** A copy, so that no later draw has the same memory; a short one is taken from what was drawn at once. */
export function randomSecret(bytes: number): Buffer {
  if (bytes > longestPooled) return randomBytes(bytes);
  const at = take(bytes);
  const secret = Buffer.allocUnsafe(bytes);
  pool.copy(secret, 0, at, at + bytes);
  pool.fill(0, at, at + bytes);
  return secret;
}

/** From 0 up to 1, to spread what would otherwise happen at once. */
export const randomFraction = (): number => randomBytes(4).readUInt32LE() / 2 ** 32;
