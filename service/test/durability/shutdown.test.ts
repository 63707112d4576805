// SIGTERM: accepted requests are finished, nothing acknowledged is lost, and the process ends by itself. Exit status 1
// would mean that it had to be forced after ten seconds.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase, makeTestApp } from '../support/app.ts';
import { contentOf, expectRefusal } from '../support/guarantees.ts';
import { scenario } from './scenarios/sigterm.ts';
import { until } from './support/conditions.ts';
import { Client, type Party } from './support/history.ts';
import { onSharedServer, type SharedPlace } from './support/scenes.ts';
import { type ServiceProcess, Stage } from './support/service-process.ts';
import { holds } from './support/short-form.ts';
import { askAgain, newRef, sale } from './support/storm.ts';

const stage = new Stage();
afterAll(() => stage.end());

describe('SIGTERM under load', () => {
  /** What the first test leaves running is ended by the next one. */
  let place: SharedPlace;
  /** Started after that, and ended by the test after. */
  let again: ServiceProcess | undefined;
  beforeAll(async () => {
    place = await onSharedServer(stage, { database: makeDatabase }, 2);
  });

  it('finishes what it accepted and refuses the rest, on a server of its own and on a shared one', async () => {
    await holds(scenario, 2, { place });
  });

  it('does not wait for clients that keep their connections open', async () => {
    const { service, client, history } = place;
    const party = place.ground.clients[0] as Party;
    // Answered once, open ever since.
    await Promise.all(
      Array.from({ length: 8 }, () =>
        history.send(client, service.address, party, 'verifyTransaction', sale(newRef(), 30)),
      ),
    );
    // Busy when the signal comes, idle after.
    const busy = Array.from({ length: 24 }, () =>
      history.send(client, service.address, party, 'verifyTransaction', sale(newRef(), 30)),
    );
    // A request whose body never comes.
    const half = request(`${service.address}/v1/transaction/verifyTransaction`, {
      method: 'POST',
      headers: { 'x-api-key': party.apiKey, 'content-type': 'application/json', 'content-length': '500' },
    });
    half.on('error', () => undefined);
    half.write('{"ref":');
    await until('the half request is there', () => half.socket?.connecting === false);
    service.signal('SIGTERM');
    await Promise.all(busy);
    expect(await service.exited).toEqual({ code: 0, signal: null });
    half.destroy();
    client.close();
    again = await place.restart();
    const fresh = new Client();
    await askAgain(history, fresh, again.address);
    expect((await place.checks.look(history, 'after asking again')).violations).toEqual([]);
    fresh.close();
  });

  it('ends at a second signal during the first as it would have', async () => {
    const service = again ?? (await place.restart());
    service.signal('SIGTERM');
    service.signal('SIGINT');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('resets none of 24 callers that keep their connections: each is told to go elsewhere by an answer', async () => {
    const party = place.ground.clients[0] as Party;
    const service = await place.restart();
    /** Sends one request after the other on one connection, until an answer ends it. */
    const stay = async (): Promise<string> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        for (;;) {
          const said = await verify(agent, service.address, party.apiKey);
          if (said.status !== 200 || said.connection === 'close') return `${said.status} ${said.connection}`;
        }
      } catch (e) {
        return String((e as NodeJS.ErrnoException).code ?? e);
      } finally {
        answered++;
        agent.destroy();
      }
    };
    let answered = 0;
    const callers = Array.from({ length: 24 }, stay);
    const probe = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 20; i++) await verify(probe, service.address, party.apiKey);
    expect(answered).toBe(0);
    service.signal('SIGTERM');
    expect(await Promise.all(callers)).toEqual(Array(24).fill('200 close'));
    probe.destroy();
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a service that is being left', () => {
  it('says that it is not ready, answers on old and new connections, and ends each of them', async () => {
    const t = await makeTestApp();
    const psp = await t.makePsp();
    const status = '/v1/client/verifyClientStatus';
    expect((await t.get('/health/ready')).status).toBe(200);
    const before = await t.get(status, psp.apiKey);
    expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive']);
    t.app.leave();
    const ready = await t.get('/health/ready');
    expect([ready.status, JSON.parse(ready.text)]).toEqual([503, { status: 'not ready', why: 'it is stopping' }]);
    for (let i = 0; i < 3; i++) {
      const r = await t.get(status, psp.apiKey);
      expect([r.status, r.headers.get('connection')]).toEqual([200, 'close']);
    }
    await t.stop();
  });
});

describe('a service that stops under callers with a connection for each request', () => {
  /** Connections that this process accepted, by the caller's port. */
  const letIn = new Set<number | undefined>();
  const note = (m: unknown) => void letIn.add((m as { socket: Socket }).socket.remotePort);
  beforeAll(() => subscribe('net.server.socket', note));
  afterAll(() => unsubscribe('net.server.socket', note));

  it('answers each of 24 that it let in, in full, until they are refused a connection', async () => {
    const t = await makeTestApp();
    const client = await t.makeClient(await t.makePsp());
    const said: { what: string; port: number | undefined }[] = [];
    const call = async () => {
      for (let last = ''; last !== 'ECONNREFUSED'; ) {
        const one = await alone(t.address, client.apiKey);
        said.push(one);
        last = one.what;
      }
    };
    const callers = Array.from({ length: 24 }, call);
    await until('they are served', () => said.length >= 240);
    t.app.leave();
    await Promise.all([t.stop(), ...callers]);
    const answered = ['200', '503', 'ECONNREFUSED'];
    expect(said.filter(({ what, port }) => !answered.includes(what) && letIn.has(port))).toEqual([]);
    expect(said.filter(({ what }) => what === '200').length).toBeGreaterThanOrEqual(240);
  });

  it('answers one that was let in before, and sends its request only then', async () => {
    const t = await makeTestApp();
    const { port, hostname } = new URL(t.address);
    const socket = connect({ port: Number(port), host: hostname });
    let got = '';
    let ended = '';
    socket.on('data', (b) => (got += b));
    socket.once('error', (e) => (ended = String(e))).once('end', () => (ended ||= 'ended'));
    await until('it is let in', () => socket.localPort !== undefined && letIn.has(socket.localPort));
    const stopped = t.stop();
    socket.write('GET /health/live HTTP/1.1\r\nhost: assay\r\n\r\n');
    await until('its end came', () => ended !== '');
    expect([got.split('\r\n')[0], ended]).toEqual([expect.stringMatching(/^HTTP\/1\.1 (200|503) /), 'ended']);
    expect(got.toLowerCase()).toContain('connection: close');
    socket.destroy();
    await stopped;
  });
});

describe('a service that stops amid a replay', () => {
  it('is not held up by it: whoever asked for it is told that the service stops', async () => {
    const t = await makeTestApp();
    const { apiKey } = await t.makeOperator();
    const [rule] = contentOf(await t.get('/v1/risk-rule?id=LARGE_AMOUNT', apiKey)).items;
    const risk = { ...rule.rule, version: rule.version + 1, severity: 'LOW' };
    const { proposalId } = contentOf(await t.post('/v1/admin/proposal', { reason: 'seen lately', risk }, apiKey));
    await t.makePsp();
    const { admin } = t.database;
    const [asked, stopped] = await admin
      .transaction(async (tx) => {
        // The replay reads the version before as its first step.
        await tx.query('LOCK TABLE risk_rules IN ACCESS EXCLUSIVE MODE');
        const reply = t.get(`/v1/admin/proposal/${proposalId}/replay`, apiKey);
        await until('the replay waits', async () => {
          // Within a transaction the view stays as it was first read.
          await tx.query('SELECT pg_stat_clear_snapshot()');
          const waiting = await tx.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%risk_rules%version < $2%'`,
          );
          return waiting.length > 0;
        });
        t.app.leave();
        const end = t.stop();
        await until('nobody is let in', () =>
          fetch(`${t.address}/health/live`).then(
            () => false,
            () => true,
          ),
        );
        return [reply, end] as const;
      })
      .then(([reply, end]) => Promise.all([reply, end]));
    expectRefusal(asked, 503, 'OVERLOADED');
    expect(stopped).toBeUndefined();
  });
});

/** One request over a connection of its own: its status, or the code of what it ended with. */
function alone(address: string, key: string): Promise<{ what: string; port: number | undefined }> {
  const body = JSON.stringify(sale(newRef(), 30));
  return new Promise((resolve) => {
    let port: number | undefined;
    const end = (what: unknown) => resolve({ what: String(what), port });
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { method: 'POST', agent: false, headers } as const;
    const sent = request(`${address}/v1/transaction/verifyTransaction`, options, (r) => {
      r.resume();
      r.once('end', () => end(r.statusCode)).once('error', (e) => end(`within the answer: ${e}`));
    });
    sent.once('socket', (s) => s.once('connect', () => (port = s.localPort)));
    sent.once('error', (e) => end((e as NodeJS.ErrnoException).code ?? e));
    sent.end(body);
  });
}

function verify(agent: Agent, address: string, key: string): Promise<{ status: number; connection: string }> {
  const body = JSON.stringify(sale(newRef(), 30));
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request(`${address}/v1/transaction/verifyTransaction`, { method: 'POST', agent, headers }, (r) => {
      r.resume().once('end', () => resolve({ status: r.statusCode ?? 0, connection: r.headers.connection ?? '' }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
