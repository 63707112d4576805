// The pages served beside the operations: health, metrics, the OpenAPI description and its interactive page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Needs } from '../../modules/kernel/needs.ts';
import type { Operation } from '../../modules/kernel/operation.ts';
import { version } from '../../platform/version.ts';
import { serveConsole } from './console.ts';
import type { Metrics } from './metrics.ts';
import { openApi } from './openapi.ts';

interface Probes {
  readonly metrics: Metrics;
  /** Whether the service can answer requests at this moment. */
  ready(): Promise<boolean>;
}

interface Pages {
  readonly services: Needs<'settings'>;
  readonly operations: readonly Operation[];
}

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay API</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/page.css"></head>
<body><header><strong>Assay</strong><span>transaction verification and compliance</span><a href="/openapi.json">openapi.json</a></header>
<div id="api"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/page.js"></script></body></html>
`;
const script = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, persistAuthorization: false, tryItOutEnabled: true, displayRequestDuration: true, validatorUrl: null, docExpansion: 'list', defaultModelsExpandDepth: -1 });
`;
const style = `body{margin:0;background:#fafafa}header{display:flex;gap:1rem;align-items:baseline;flex-wrap:wrap;padding:.9rem 1.4rem;background:#10231f;color:#e8f3ef;font:16px/1.4 system-ui,sans-serif}header strong{font-size:1.2rem;letter-spacing:.02em}header span{opacity:.75}header a{margin-left:auto;color:#9fe0c6}
.swagger-ui .info{margin:24px 0}
@media (prefers-color-scheme:dark){html{filter:invert(.92) hue-rotate(180deg);background:#111}header{filter:invert(1) hue-rotate(180deg)}}
`;

const consoleBuild = join(import.meta.dirname, '../../../../console/dist');

const csp =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export function probes(app: FastifyInstance, { metrics, ready }: Probes): void {
  app.get('/health/live', async (_q, reply) => reply.type('application/json').send({ status: 'live', version }));
  app.get('/health/ready', async (_q, reply) => {
    const ok = await ready().catch(() => false);
    return reply
      .code(ok ? 200 : 503)
      .type('application/json')
      .send(ok ? '{"status":"ready"}' : '{"status":"not ready"}');
  });
  app.get('/metrics', async (_q, reply) => reply.type(metrics.registry.contentType).send(await metrics.text()));
}

export function pages(app: FastifyInstance, { services: s, operations }: Pages): void {
  let description: string | undefined;
  app.get('/openapi.json', async (_q, reply) => {
    description ??= JSON.stringify(openApi(operations, s.settings.baseUrl ?? '/'));
    return reply.type('application/json').header('access-control-allow-origin', '*').send(description);
  });

  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const file = (name: string) => readFileSync(join(assets, name));
  const serve = (path: string, type: string, content: () => string | Buffer) => {
    let known: string | Buffer | undefined;
    app.get(path, async (_q, reply) => {
      known ??= content();
      return reply
        .type(type)
        .headers({
          'content-security-policy': csp,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        })
        .send(known);
    });
  };
  serve('/docs', 'text/html; charset=utf-8', () => page);
  serve('/docs/page.js', 'text/javascript; charset=utf-8', () => script);
  serve('/docs/page.css', 'text/css; charset=utf-8', () => style);
  serve('/docs/swagger-ui.css', 'text/css; charset=utf-8', () => file('swagger-ui.css'));
  serve('/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8', () => file('swagger-ui-bundle.js'));
  app.get('/', async (_q, reply) => reply.redirect('/docs'));
  serveConsole(app, consoleBuild);
}
