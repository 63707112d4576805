// The tests that mutants of the core have to survive: those that need no database. Every mutant runs them anew, so
// that each looks at a hundred random cases instead of thousands; `npm test` looks at all.
import { defineConfig } from 'vitest/config';

const fewer: readonly [RegExp, string][] = [
  [/numRuns: [\d_]+/g, 'numRuns: 100'],
  // The million of split.test.ts in its blocks of 20 000, and what telecom.test.ts counts.
  [/\b1_000_000; i\+\+/g, '5_000; i++'],
  [/\b20_000\b/g, '100'],
  [/\b125_000\b/g, '625'],
  [/toBeGreaterThan\(100(_000)?\)/g, 'toBeGreaterThan(5)'],
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
