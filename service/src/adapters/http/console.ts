// The console at /console: the files of its build, with headers that allow nothing else to run. Reads no data.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

// The components set sizes in style elements and attributes; nothing else is inline.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const consoleHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

const unbuilt = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Assay</title></head>
<body><main><h1>The console is not built</h1><p>Run <code>npm run build</code> and load this page again. The API is described at <a href="/docs">/docs</a>.</p></main></body></html>
`;

/** @param dist the build's folder; may be missing, and may be created later */
export function serveConsole(app: FastifyInstance, dist: string): void {
  app.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: dist,
      serve: false,
      preCompressed: true,
      dotfiles: 'ignore',
      index: false,
      suppressWarning: true,
    });
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers(consoleHeaders);
    });
    scope.get('/console', (_request, reply) => reply.redirect('/console/'));
    scope.get<{ Params: { '*': string } }>('/console/*', (request, reply) => {
      const file = request.params['*'];
      // Assets have their hash in the name; other files are revalidated on every request.
      if (file.startsWith('assets/')) return reply.sendFile(file, { maxAge: '1y', immutable: true });
      if (!existsSync(join(dist, 'index.html')))
        return reply.code(503).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(unbuilt);
      reply.header('cache-control', 'no-cache');
      // A path without a file extension is a page of the console.
      return reply.sendFile(/^[\w-]+\.\w+$/.test(file) ? file : 'index.html', { cacheControl: false });
    });
  });
}
