import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['service/**/*.test.ts', 'client/**/*.test.ts', 'console/**/*.test.ts', 'acceptance/**/*.test.ts'],
    globalSetup: ['service/test/support/server.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Two cores: the database and the tests share them.
    maxWorkers: 2,
    fileParallelism: true,
    isolate: true,
    restoreMocks: true,
  },
});
