// The tests that mutants of the core have to survive: those that need no database. Every mutant runs them anew, so
// that each looks at a hundred random cases instead of thousands; `npm test` looks at all.
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
