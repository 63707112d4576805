// The tests that have to detect mutants of the core: those without a database. They run for every mutant, so each uses
// a hundred random cases instead of thousands; `npm test` runs all.
import { defineConfig } from 'vitest/config';

const fewer: readonly [RegExp, string][] = [
  [/numRuns: [\d_]+/g, 'numRuns: 100'],
  // What split.test.ts and telecom.test.ts draw and count.
  [/\bupTo\([\d_]+, 1_000_000\)/g, '5_000'],
  [/\bupTo\([\d_]+, 100_000\)/g, '100'],
  [/toBeGreaterThan\((100|runs)\)/g, 'toBeGreaterThan(5)'],
];

export default defineConfig({
  plugins: [
    {
      name: 'fewer-random-cases',
      enforce: 'pre',
      transform: (code, id) =>
        id.endsWith('.test.ts') ? fewer.reduce((text, [from, to]) => text.replaceAll(from, to), code) : undefined,
    },
  ],
  test: {
    include: [
      'service/src/core/{money,fee,standing,transaction,settlement,sums}.test.ts',
      'service/src/core/{tax,audit}/*.test.ts',
      'service/test/webhooks/signature.test.ts',
    ],
    testTimeout: 60_000,
  },
});
