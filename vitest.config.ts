import { configDefaults, defineConfig } from 'vitest/config';

const all = ['service/**/*.test.ts', 'client/**/*.test.ts', 'console/**/*.test.ts', 'acceptance/**/*.test.ts'];

/**
 * Files that get a process of their own: they measure the process they run in, or change something of it. All others
 * share the modules of their worker, so that the service is loaded once per worker and not once per file.
 */
const isolated = [
  // The first two measure the memory of their process.
  'service/src/platform/database.test.ts',
  'service/test/sftp/attacks.test.ts',
  'service/test/{sbom,secrets}/**/*.test.ts',
];

/** Files with a browser share their worker's; none of them measures or changes the process. */
const withBrowser = ['service/test/console/**/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['service/test/support/server.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Two cores, which the database shares: three workers leave neither waiting for long.
    maxWorkers: 3,
    fileParallelism: true,
    restoreMocks: true,
    projects: [
      { extends: true, test: { name: 'console', include: withBrowser, isolate: false, testTimeout: 240_000 } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: all,
          exclude: [...configDefaults.exclude, ...isolated, ...withBrowser],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated, isolate: true } },
    ],
  },
});
