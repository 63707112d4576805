// How the console is built: hashed assets under /console/, compressed beforehand, nothing inline.
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

/** Where a service runs during `npm run dev`. */
const service = 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/console/',
  plugins: [react(), compression({ algorithms: ['brotliCompress', 'gzip'], threshold: 1024 })],
  build: {
    outDir: 'dist',
    assetsDir: 'assets',
    // The policy allows no data: scripts or fonts, and a file that is asked for alone can be cached alone.
    assetsInlineLimit: 0,
    sourcemap: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        // What most pages use is one file: many small ones compress worse than one.
        codeSplitting: {
          groups: [
            { name: 'shared', test: /console\/src\/(?:components|data|layout)\/|@mantine\/core/, minShareCount: 24 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': service, '/openapi.json': service } },
});
