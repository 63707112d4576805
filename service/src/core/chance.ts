// Seeded chance: the same seed gives the same data on every machine. For generated data, never for a secret.

export interface Chance {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number from low to high, both included. */
  whole(low: number, high: number): number;
  pick<T>(from: readonly T[]): T;
  weighed<T>(from: readonly (readonly [weight: number, value: T])[]): T;
}

/**
 * sfc32: small, fast, and random enough for generated data.
 * @param state four whole numbers of 32 bits
 * @param name mixed in, so that parts of the data do not change with each other
 */
export function chanceOf(state: readonly [number, number, number, number], name = ''): Chance {
  let [a, b, c, d] = state;
  const next = (): number => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (const letter of name) {
    c = (Math.imul(c, 31) + (letter.codePointAt(0) as number)) | 0;
    next();
  }
  for (let i = 0; i < 16; i++) next();
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    whole,
    pick: <T>(from: readonly T[]): T => from[whole(0, from.length - 1)] as T,
    weighed<T>(from: readonly (readonly [number, T])[]): T {
      let left = next() * from.reduce((sum, [w]) => sum + w, 0);
      for (const [w, value] of from) {
        left -= w;
        if (left < 0) return value;
      }
      return (from.at(-1) as readonly [number, T])[1];
    },
  };
}
