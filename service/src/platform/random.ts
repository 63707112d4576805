// The one source of randomness and of new ids.
import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';

const pool = Buffer.allocUnsafe(8192);
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

const hex: string[] = [];
for (let i = 0; i < 256; i++) hex.push(i.toString(16).padStart(2, '0'));
const h = (i: number) => hex[i] as string;

/** Creates UUIDv7 ids that never go backwards within a process, even if the clock does. */
export class IdMaker {
  readonly #clock: Clock;
  #lastMs = 0;
  #counter = 0;

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
    const ms = this.#lastMs;
    const time = ms.toString(16).padStart(12, '0');
    const at = take(8);
    const b = (i: number) => pool[at + i] as number;
    const c = this.#counter.toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${c}-${h((b(0) & 0x3f) | 0x80)}${h(b(1))}-${h(b(2))}${h(b(3))}${h(b(4))}${h(b(5))}${h(b(6))}${h(b(7))}`;
  }
}

/** A UUID of version 4, for external formats that require one. */
export const randomUuid = (): string => randomUUID();

export const randomSecret = (bytes: number): Buffer => randomBytes(bytes);

/** From 0 up to 1, to spread what would otherwise happen at once. */
export const randomFraction = (): number => randomBytes(4).readUInt32LE() / 2 ** 32;
