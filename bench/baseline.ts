// A conventional implementation of verifyTransaction: Fastify, Kysely, a pool of 20, one transaction per request. It
// authenticates, validates, prices and writes the same rows as the service; only the write path differs.
import Fastify from 'fastify';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { operations } from '../service/src/adapters/http/operations.ts';
import { readBody, type Schema } from '../service/src/adapters/http/reader.ts';
import { makeApp } from '../service/src/app.ts';
import { parseJson } from '../service/src/core/json.ts';
import type { Principal } from '../service/src/modules/kernel/principal.ts';
import type { Command, Facts } from '../service/src/platform/committer.ts';
import { makeLog } from '../service/src/platform/log.ts';
import { readSettings } from '../service/src/settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tables are written as plain rows
type Tables = Record<string, any>;

export async function makeBaseline(url: string, dataDir: string): Promise<number> {
  const settings = readSettings({ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: url, LOG_LEVEL: 'warn' });
  const { services } = await makeApp({ settings, log: makeLog('warn') });
  const socket = /host=([^&]+)/.exec(url);
  const u = new URL(url.replace('@/', '@localhost/'));
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: new pg.Pool({
        host: socket ? decodeURIComponent(socket[1] as string) : u.hostname,
        port: Number(u.searchParams.get('port') ?? u.port),
        user: u.username,
        password: u.password,
        database: u.pathname.slice(1),
        max: 20,
      }),
    }),
  });

  /** Writes the rows of a decision, one statement each, in one transaction. */
  async function write(command: Command): Promise<unknown> {
    return db.transaction().execute(async (t) => {
      const loaded = new Map<unknown, unknown>();
      for (const n of command.needs) {
        if (n.presumeAbsent) {
          const key = n.key as { psp: string; space: string; ref: string; account: string };
          const found = await t
            .selectFrom('refs')
            .select('target_id')
            .where('psp_id', '=', key.psp)
            .where('space', '=', key.space)
            .where('ref', '=', key.ref)
            .where('account_id', '=', key.account)
            .executeTakeFirst();
          if (found) throw new Error('the benchmark sends unique refs');
          continue;
        }
        const key = n.key as { psp: string; id: string };
        await t
          .selectFrom('accounts')
          .select('version')
          .where('psp_id', '=', key.psp)
          .where('id', '=', key.id)
          .forShare()
          .executeTakeFirst();
        loaded.set(
          n.loader.text(n.key),
          n.loader.peek?.(n.key) ?? (await n.loader.load(services.db, [n.key])).get(n.loader.text(n.key)),
        );
      }
      const decided = command.decide(((n: { loader: { text(k: unknown): string }; key: unknown }) =>
        loaded.get(n.loader.text(n.key))) as Facts);
      if (decided instanceof Error) throw decided;
      for (const r of decided.writes?.refsNew ?? [])
        await t
          .insertInto('refs')
          .values({
            psp_id: r.psp,
            space: r.space,
            ref: r.ref,
            account_id: r.account,
            target_id: r.target,
            revision: r.revision,
          })
          .execute();
      for (const [table, values] of decided.writes?.rows ?? []) {
        const row: Record<string, unknown> = { ...values };
        if (table === 'journal') {
          const head = await sql<{ seq: number }>`INSERT INTO journal_heads AS h (psp_id, seq) VALUES (${row.psp_id}, 1)
            ON CONFLICT (psp_id) DO UPDATE SET seq = h.seq + 1 RETURNING seq`.execute(t);
          row.seq = head.rows[0]?.seq;
        }
        await t.insertInto(table).values(row).execute();
      }
      return decided.reply;
    });
  }

  const plain = { ...services, committer: { depth: 0, submit: write } } as unknown as typeof services;
  const app = Fastify({ logger: false });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_q, body, done) => done(null, body));
  const verify = operations[0];
  if (!verify) throw new Error('no operations');
  app.post(verify.path, async (request, reply) => {
    const principal = (await services.keys.resolve(request.headers['x-api-key'] as string)) as Principal;
    const body = readBody(verify.body as Schema, parseJson(request.body as string));
    if (body instanceof Error) throw body;
    const answer = await verify.handle(
      {
        principal,
        onBehalfOf: undefined,
        body: body.value,
        query: undefined,
        params: {},
        now: Date.now(),
      },
      plain,
    );
    return reply
      .type('application/json')
      .send(JSON.stringify({ success: true, message: answer.message, content: answer.content }));
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as { port: number }).port;
}
