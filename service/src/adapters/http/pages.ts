// The pages served beside the operations: health, metrics, the OpenAPI description, the documentation and the console.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Needs, Operation } from '../../modules/kernel/operation.ts';
import { version } from '../../platform/version.ts';
import type { Description } from '../docs/description.ts';
import { DocsSite, type Served } from '../docs/site.ts';
import { serveConsole } from './console.ts';
import type { Metrics } from './metrics.ts';
import { openApi } from './openapi.ts';

interface Probes {
  readonly metrics: Metrics;
  /** Why the service is not ready, in words. @returns undefined if it is */
  unready(): Promise<string | undefined>;
}

interface Pages {
  readonly services: Needs<'settings'>;
  readonly operations: readonly Operation[];
}

/** Where operations can be called from the page. */
const trying = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try it · Assay</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/try/swagger-ui.css"><link rel="stylesheet" href="/docs/try/page.css"></head>
<body><header><strong>Assay</strong><span>call operations from this page</span><a href="/docs">Documentation</a></header>
<div id="api"></div><script src="/docs/try/swagger-ui-bundle.js"></script><script src="/docs/try/page.js"></script></body></html>
`;
const script = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, persistAuthorization: false, tryItOutEnabled: true, displayRequestDuration: true, validatorUrl: null, docExpansion: 'list', defaultModelsExpandDepth: -1 });
`;
const style = `body{margin:0;background:#fafafa}header{display:flex;gap:1rem;align-items:baseline;flex-wrap:wrap;padding:.9rem 1.4rem;background:#10231f;color:#e8f3ef;font:16px/1.4 system-ui,sans-serif}header strong{font-size:1.2rem;letter-spacing:.02em}header span{opacity:.75}header a{margin-left:auto;color:#9fe0c6}
.swagger-ui .info{margin:24px 0}
@media (prefers-color-scheme:dark){html{filter:invert(.92) hue-rotate(180deg);background:#111}header{filter:invert(1) hue-rotate(180deg)}}
`;

const consoleBuild = join(import.meta.dirname, '../../../../console/dist');

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';
const tryIt: Readonly<Record<string, () => Served>> = {
  '/docs/try': () => ({ type: 'text/html; charset=utf-8', content: trying }),
  '/docs/try/page.js': () => ({ type: javascript, content: script }),
  '/docs/try/page.css': () => ({ type: css, content: style }),
  '/docs/try/swagger-ui.css': () => ({ type: css, content: readFileSync(join(assets, 'swagger-ui.css')) }),
  '/docs/try/swagger-ui-bundle.js': () => ({
    type: javascript,
    content: readFileSync(join(assets, 'swagger-ui-bundle.js')),
  }),
};

const csp =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export function probes(app: FastifyInstance, { metrics, unready }: Probes): void {
  app.get('/health/live', async (_q, reply) => reply.type('application/json').send({ status: 'live', version }));
  app.get('/health/ready', async (_q, reply) => {
    const why = await unready().catch(() => 'it could not be found out; the log says more');
    return reply
      .code(why === undefined ? 200 : 503)
      .type('application/json')
      .send(why === undefined ? { status: 'ready' } : { status: 'not ready', why });
  });
  app.get('/metrics', async (_q, reply) => reply.type(metrics.registry.contentType).send(await metrics.text()));
}

export function pages(app: FastifyInstance, { services: s, operations }: Pages): void {
  let description: string | undefined;
  app.get('/openapi.json', async (_q, reply) => {
    description ??= JSON.stringify(openApi(operations, s.settings.baseUrl ?? '/'));
    return reply.type('application/json').header('access-control-allow-origin', '*').send(description);
  });

  let site: DocsSite | undefined;
  const siteNow = () =>
    (site ??= new DocsSite(openApi(operations, s.settings.baseUrl ?? '/') as unknown as Description));
  const shown = (reply: FastifyReply, { type, content }: Served) =>
    reply
      .type(type)
      .headers({
        'content-security-policy': csp,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      .send(content);
  const docs = async ({ url }: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = url.split('?');
    const address = path.replace(/\/$/, '');
    const served = tryIt[address]?.() ?? siteNow().at(address);
    return served ? shown(reply, served) : shown(reply.code(404), siteNow().missing());
  };
  app.get('/docs', docs);
  app.get('/docs/*', docs);
  app.get('/', async (_q, reply) => reply.redirect('/docs'));
  serveConsole(app, consoleBuild);
}
