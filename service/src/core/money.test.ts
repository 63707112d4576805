// Exact decimals against naive BigInt fractions written here independently, and against JSON itself.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addRatio,
  allocate,
  canonicalText,
  decimal,
  divideRounded,
  formatDecimal,
  formatUnits,
  MAX_DIGITS,
  mulRatio,
  Numeral,
  parseDecimal,
  pow10,
  ratio,
  unitsAt,
  wireNumber,
} from './money.ts';

/** A number token as JSON may contain it, with its value as a fraction computed the slow way. */
const token = fc
  .record({
    negative: fc.boolean(),
    int: fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,14}$/)),
    fraction: fc.oneof(fc.constant(''), fc.stringMatching(/^\d{1,12}$/)),
    exponent: fc.option(fc.integer({ min: -8, max: 8 }), { nil: undefined }),
    capital: fc.boolean(),
    plus: fc.boolean(),
  })
  .map((t) => {
    const e = t.exponent ?? 0;
    const sign = t.plus && e >= 0 ? '+' : '';
    const text = `${t.negative ? '-' : ''}${t.int}${t.fraction && `.${t.fraction}`}${
      t.exponent === undefined ? '' : `${t.capital ? 'E' : 'e'}${sign}${e}`
    }`;
    const n = BigInt(t.int + t.fraction) * 10n ** BigInt(Math.max(e, 0)) * (t.negative ? -1n : 1n);
    const d = 10n ** BigInt(t.fraction.length + Math.max(-e, 0));
    return { text, n, d };
  });

const units = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n });
const scale = fc.integer({ min: 0, max: 18 });

describe('parseDecimal', () => {
  it('reads an exponent with zeros before it, as JSON may have', () => {
    expect(formatDecimal(parseDecimal('1e+0002') as never)).toBe('100');
    expect(formatDecimal(parseDecimal('1.0000000E+0000002') as never)).toBe('100');
    expect(formatDecimal(parseDecimal('1e-0001') as never)).toBe('0.1');
    expect(parseDecimal('1e+1000')).toBe(undefined);
  });

  it('reads any number token to exactly the fraction it stands for', () => {
    fc.assert(
      fc.property(token, ({ text, n, d }) => {
        const read = parseDecimal(text);
        expect(read).toBeDefined();
        expect((read?.units as bigint) * d).toBe(n * 10n ** BigInt(read?.scale as number));
      }),
    );
  });

  it('gives the smallest scale that holds the value, so that equal values read equal', () => {
    fc.assert(
      fc.property(token, fc.nat(5), ({ text }, zeros) => {
        const read = decimal(text);
        expect(read.scale === 0 || read.units % 10n !== 0n).toBe(true);
        const plain = formatDecimal(read);
        const padded = plain.includes('.') ? plain + '0'.repeat(zeros) : `${plain}.${'0'.repeat(zeros + 1)}`;
        expect(parseDecimal(padded)).toEqual(read);
      }),
    );
  });

  it.each([
    ['107.50', 1075n, 1],
    ['0.123456789012345678', 123456789012345678n, 18],
    ['1.075e2', 1075n, 1],
    ['9007199254740993', 9007199254740993n, 0],
    ['9999999999999999', 9999999999999999n, 0],
    ['12345678901234.5', 123456789012345n, 1],
    ['1E3', 1000n, 0],
    ['1e+3', 1000n, 0],
    ['100e-2', 1n, 0],
    ['-0', 0n, 0],
    ['0.000', 0n, 0],
    ['0e999', 0n, 0],
    [`${'9'.repeat(38)}`, 10n ** 38n - 1n, 0],
    [`0.${'0'.repeat(37)}1`, 1n, 38],
  ])('reads %s', (text, u, s) => {
    expect(parseDecimal(text)).toEqual({ units: u, scale: s });
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '.5',
    '5.',
    '.',
    '1.2.3',
    '1..2',
    '1e',
    '+1',
    '--1',
    'NaN',
    'Infinity',
    '0x10',
    '1,000',
    '1_000',
    '١٢',
    `1${'0'.repeat(38)}`,
    `0.${'0'.repeat(38)}1`,
    '1e400',
    '1e-400',
    '1e9999',
    `1.${'0'.repeat(200)}`,
  ])('gives undefined for %s', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it('holds no value of more than 38 digits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{0,60}(\.\d{1,60})?$/), (text) => {
        const read = parseDecimal(text);
        if (read === undefined) return;
        expect(read.units.toString().length).toBeLessThanOrEqual(MAX_DIGITS);
        expect(read.scale).toBeLessThanOrEqual(MAX_DIGITS);
      }),
    );
  });

  it('throws as `decimal` on malformed text of our own data', () => {
    expect(() => decimal('7,5')).toThrow('not a decimal: 7,5');
  });

  it('reads as `decimal` what we reckoned ourselves exactly, however many digits it has', () => {
    expect(decimal('7499999999999999999999999999999999999.925')).toEqual({
      units: 7499999999999999999999999999999999999925n,
      scale: 3,
    });
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 120n), max: 10n ** 120n }), fc.nat({ max: 90 }), (units, scale) => {
        const read = decimal(formatUnits(units, scale));
        expect(read.units * 10n ** BigInt(scale - read.scale)).toBe(units);
        expect(read.scale === 0 || read.units % 10n !== 0n).toBe(true);
      }),
    );
  });
});

describe('units and text', () => {
  it('writes units of a scale so that they read back to the same value', () => {
    fc.assert(
      fc.property(units, scale, (u, s) => {
        const text = formatUnits(u, s);
        expect(text).toMatch(s === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${s}}$`));
        const back = decimal(text);
        expect(unitsAt(back, s)).toBe(u);
      }),
    );
  });

  it('refuses a scale that would lose a digit, and no other', () => {
    fc.assert(
      fc.property(token, scale, ({ text }, s) => {
        const d = decimal(text);
        const got = unitsAt(d, s);
        if (d.scale <= s) expect(got).toBe(d.units * 10n ** BigInt(s - d.scale));
        else expect(got).toBeUndefined();
      }),
    );
    expect(unitsAt({ units: 1500n, scale: 3 }, 1)).toBe(15n);
  });

  it('has one canonical text for every way of writing a number', () => {
    expect(['107.5', '107.50', '1.075e2', '1075E-1', '0107.5e0'].map(canonicalText)).toEqual(Array(5).fill('107.5'));
    fc.assert(
      fc.property(token, token, (a, b) => {
        expect(canonicalText(a.text) === canonicalText(b.text)).toBe(a.n * b.d === b.n * a.d);
      }),
    );
  });

  it('knows every power of ten', () => {
    for (const n of [0, 1, 18, 80, 81, 200]) expect(pow10(n)).toBe(BigInt(`1${'0'.repeat(n)}`));
  });
});

describe('wireNumber', () => {
  /** The exact text JSON.stringify writes. */
  const written = (text: string) => JSON.stringify(wireNumber(text));

  it('reads back to the same decimal, whatever the size', () => {
    fc.assert(
      fc.property(units, scale, (u, s) => {
        const text = formatUnits(u, s);
        expect(canonicalText(written(text))).toBe(canonicalText(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('survives a receiver that parses and stringifies again, up to 15 significant digits', () => {
    const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.integer({ min: 0, max: 18 }));
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 8 }), (amounts) => {
        const body = JSON.stringify({ split: amounts.map(([u, s]) => wireNumber(formatUnits(u, s))) });
        expect(JSON.stringify(JSON.parse(body))).toBe(body);
      }),
      { numRuns: 2000 },
    );
  });

  it('writes the full text where a double would not hold it', () => {
    expect(written('0.123456789012345678')).toBe('0.123456789012345678');
    expect(written('12345678901234567890.12')).toBe('12345678901234567890.12');
    expect(written('107.50')).toBe('107.5');
    expect(written('-0')).toBe('0');
    expect(written('1000000000000000000000')).toBe('1e+21');
  });

  it('is how a numeral of a request is written wherever it is kept as JSON', () => {
    expect(JSON.stringify({ lat: new Numeral('-1.2864'), long: new Numeral('0.123456789012345678') })).toBe(
      '{"lat":-1.2864,"long":0.123456789012345678}',
    );
  });
});

describe('divideRounded', () => {
  const denominator = fc.bigInt({ min: 1n, max: 10n ** 12n });
  const abs = (n: bigint) => (n < 0n ? -n : n);

  it('rounds half up away from zero, half even to the even neighbour, and down toward zero', () => {
    fc.assert(
      fc.property(units, denominator, (n, d) => {
        const sign = n < 0n ? -1n : 1n;
        const down = abs(n) / d;
        const twice = 2n * (abs(n) - down * d);
        expect(divideRounded(n, d, 'DOWN')).toBe(sign * down);
        expect(divideRounded(n, d, 'HALF_UP')).toBe(sign * ((2n * abs(n) + d) / (2n * d)));
        const even = twice > d || (twice === d && down % 2n === 1n) ? down + 1n : down;
        expect(divideRounded(n, d, 'HALF_EVEN')).toBe(sign * even);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    [5n, 10n, 1n, 0n],
    [15n, 10n, 2n, 2n],
    [25n, 10n, 3n, 2n],
    [-5n, 10n, -1n, 0n],
    [-25n, 10n, -3n, -2n],
    [24n, 10n, 2n, 2n],
    [26n, 10n, 3n, 3n],
  ])('puts %s/%s at %s half up and %s half even', (n, d, up, even) => {
    expect(divideRounded(n, d, 'HALF_UP')).toBe(up);
    expect(divideRounded(n, d, 'HALF_EVEN')).toBe(even);
  });
});

describe('allocate', () => {
  const total = fc.bigInt({ min: 0n, max: 10n ** 30n });
  const weights = fc
    .array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 40 })
    .filter((w) => w.some((x) => x > 0n));

  it('gives parts that sum to the whole, none negative, each within one unit of its exact share', () => {
    fc.assert(
      fc.property(total, weights, (t, w) => {
        const parts = allocate(t, w);
        const sum = w.reduce((a, b) => a + b, 0n);
        expect(parts).toHaveLength(w.length);
        expect(parts.reduce((a, b) => a + b, 0n)).toBe(t);
        for (const [i, p] of parts.entries()) {
          const floor = (t * (w[i] as bigint)) / sum;
          expect(p === floor || p === floor + 1n).toBe(true);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the units left over to the largest remainders, the earlier part first on a tie', () => {
    fc.assert(
      fc.property(total, weights, (t, w) => {
        const sum = w.reduce((a, b) => a + b, 0n);
        const parts = allocate(t, w);
        const left = Number(t - w.reduce((a, x) => a + (t * x) / sum, 0n));
        // The naive way: find the largest remainder not yet served, once per unit left.
        const served = new Set<number>();
        for (let k = 0; k < left; k++) {
          let best = -1;
          for (let i = 0; i < w.length; i++) {
            if (served.has(i)) continue;
            if (best < 0 || (t * (w[i] as bigint)) % sum > (t * (w[best] as bigint)) % sum) best = i;
          }
          served.add(best);
        }
        for (let i = 0; i < w.length; i++)
          expect(parts[i]).toBe((t * (w[i] as bigint)) / sum + (served.has(i) ? 1n : 0n));
      }),
    );
  });

  it('shares a hundred by thirds as 34, 33, 33', () => {
    expect(allocate(100n, [1n, 1n, 1n])).toEqual([34n, 33n, 33n]);
  });

  it('shares nothing over no weights, and refuses to lose an amount', () => {
    expect(allocate(0n, [0n, 0n])).toEqual([0n, 0n]);
    expect(allocate(0n, [])).toEqual([]);
    expect(() => allocate(1n, [0n])).toThrow('over no weights');
  });
});

describe('ratios', () => {
  const text = fc.stringMatching(/^(0|[1-9]\d{0,3})(\.\d{1,4})?$/);
  it('add and multiply as fractions do', () => {
    fc.assert(
      fc.property(text, text, (x, y) => {
        const a = ratio(x);
        const b = ratio(y);
        const sum = addRatio(a, b);
        const product = mulRatio(a, b);
        expect(sum.n * a.d * b.d).toBe((a.n * b.d + b.n * a.d) * sum.d);
        expect(product.n * a.d * b.d).toBe(a.n * b.n * product.d);
        expect(sum.d > 0n && product.d > 0n).toBe(true);
      }),
    );
  });
});

describe('numbers that are long to write out', () => {
  it('are refused without being written out, or are nothing', () => {
    for (const text of ['1e999999999', '-1e999999999', '1e999', '1e129', '0.1e999', '12e127'])
      expect([text, parseDecimal(text)]).toEqual([text, undefined]);
    for (const text of ['0e999', '0.000e999', '-0.0e400'])
      expect([text, parseDecimal(text)]).toEqual([text, { units: 0n, scale: 0 }]);
  });

  it('may have 38 digits after a leading zero, and no more', () => {
    const nines = '9'.repeat(38);
    expect(parseDecimal(`0.${nines}`)).toEqual({ units: BigInt(nines), scale: 38 });
    expect(parseDecimal(`0.${nines}9`)).toBeUndefined();
  });
});

describe('what is left over', () => {
  it('goes to the earlier of equal parts, in order', () => {
    expect(allocate(101n, [1n, 1n, 1n])).toEqual([34n, 34n, 33n]);
    expect(allocate(7n, [1n, 1n, 1n, 1n])).toEqual([2n, 2n, 2n, 1n]);
    expect(allocate(5n, [2n, 1n, 2n, 1n, 2n])).toEqual([1n, 1n, 1n, 1n, 1n]);
  });
});
