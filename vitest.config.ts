import module from 'node:module';
import { configDefaults, defineConfig } from 'vitest/config';
import { compileCacheFolder, enableCompileCache } from './service/bin/compile-cache.js';
import { SpreadOut } from './service/test/support/spread-out.ts';

const all = ['service/**/*.test.ts', 'client/**/*.test.ts', 'console/**/*.test.ts', 'acceptance/**/*.test.ts'];

/**
 * Files that get a process of their own: they measure the process they run in, or change something of it. All others
 * share the modules of their worker, so that the service is loaded once per worker and not once per file.
 */
const isolated = [
  // The first four measure the memory of their process.
  'service/test/kept-bytes.test.ts',
  'service/test/left-behind.test.ts',
  'service/src/platform/database.test.ts',
  'service/test/sftp/attacks.test.ts',
  'service/test/{sbom,secrets}/**/*.test.ts',
];

/** Only for a Citus cluster. */
const ofCluster = process.env.CITUS_URL === undefined ? ['service/test/durability/citus-*.test.ts'] : [];

// The thread that validates call detail files is started by many test files, from hundreds of sources: with the compiled code
// of the one before it takes a third of the processor time. Workers and their threads hear of it by the environment.
enableCompileCache();
if (module.getCompileCacheDir() !== undefined) process.env.NODE_COMPILE_CACHE ??= compileCacheFolder;

/** Asked for an order of chance, vitest makes it only where no other is set. */
const shuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'));

export default defineConfig({
  test: {
    globalSetup: ['service/test/support/server.ts'],
    setupFiles: process.env.CITUS_URL === undefined ? [] : ['service/test/support/not-on-citus.ts'],
    // They only end a hang, on a machine that others hold too; no test has a shorter one of its own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // Two cores, which the database shares: three workers leave neither waiting for long.
    maxWorkers: 3,
    fileParallelism: true,
    restoreMocks: true,
    // Node reads the sources itself, as it does for the service: nothing is made of them for the tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: shuffled ? {} : { sequencer: SpreadOut },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: all,
          exclude: [...configDefaults.exclude, ...ofCluster, ...isolated],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated, isolate: true } },
    ],
  },
});
