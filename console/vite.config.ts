// How the console is built: hashed assets under /console/, compressed beforehand, nothing inline.
import react from '@vitejs/plugin-react';
import postcss from 'postcss';
import { defineConfig, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';

/** Where a service runs during `npm run dev`. */
const service = 'http://127.0.0.1:8080';

/** What the entry point loads once it has its words is named in the page, so that browsers ask for it at once. */
const early: Plugin = {
  name: 'early',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((c) => c.type === 'chunk');
      const start = chunks.find((c) => c.facadeModuleId?.endsWith('/console/src/start.tsx'));
      const files = start ? [start.fileName, ...start.imports] : [];
      const loaded = chunks.find((c) => c.isEntry)?.fileName;
      return files
        .filter((file) => file !== loaded)
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/console/${file}` },
          injectTo: 'head' as const,
        }));
    },
  },
};

/** The class names of Mantine's components, which its scripts name in full. */
const mantine = /\bm_[\da-f]{6,8}\b/g;

/** Takes rules for components that no script uses out of the styles: a third of them. */
const usedStyles: Plugin = {
  name: 'used-styles',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const files = Object.values(bundle);
    const scripts = files.flatMap((f) => (f.type === 'chunk' ? [f.code] : []));
    const used = new Set(scripts.flatMap((code) => code.match(mantine) ?? []));
    const shows = (selector: string) => (selector.match(mantine) ?? []).every((name) => used.has(name));
    for (const file of files) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
      const styles = postcss.parse(String(file.source));
      styles.walkRules((rule) => {
        const selectors = rule.selectors.filter(shows);
        if (selectors.length === 0) rule.remove();
        else rule.selectors = selectors;
      });
      file.source = styles.toString();
    }
  },
};

export default defineConfig({
  base: '/console/',
  plugins: [react(), early, usedStyles, compression({ algorithms: ['brotliCompress', 'gzip'], threshold: 1024 })],
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
        // The start names every file that may be loaded later, and a hash cannot be compressed: seven characters are enough.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        // What most pages use is one file: many small ones compress worse than one.
        codeSplitting: {
          groups: [
            // It is there before all others, which have the texts.
            { name: 'catalogue', test: /console\/src\/words\/(?:catalogue|language)\.ts/, priority: 1 },
            { name: 'icons', test: /@tabler\/icons-react\/.*\/icons\//, minShareCount: 2 },
            { name: 'shared', test: /console\/src\/(?:components|data|layout)\/|@mantine\/core/, minShareCount: 24 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': service, '/openapi.json': service } },
});
