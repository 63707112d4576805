// Limits of what one connection may have in flight, over real sockets.
import { createServer, Socket } from 'node:net';
import type { SFTPWrapper } from 'ssh2';
import { afterEach, describe, expect, it } from 'vitest';
import { Flow } from './flow.ts';
import { sftpLimits } from './limits.ts';

const opened: Socket[] = [];
afterEach(() => {
  for (const s of opened.splice(0)) s.destroy();
});

/** Both ends of a connection. */
function pair(): Promise<{ here: Socket; there: Socket }> {
  return new Promise((resolve) => {
    const there = new Socket();
    const server = createServer((here) => {
      server.close();
      opened.push(here, there);
      resolve({ here, there });
    });
    server.listen(0, '127.0.0.1', () => there.connect((server.address() as { port: number }).port, '127.0.0.1'));
  });
}

/** The library's session as far as it is used: the answers it buffers. */
const session = (kept: unknown[]) => ({ _buffer: kept }) as unknown as SFTPWrapper;

describe('a connection', () => {
  it('is left unread at 8 MiB that wait for the disk, and read again when half of it is written', async () => {
    const { here } = await pair();
    const flow = new Flow(here, sftpLimits);
    const piece = sftpLimits.unansweredBytes / 8;
    for (let i = 0; i < 7; i++) flow.begin(piece);
    expect(here.isPaused()).toBe(false);
    flow.begin(piece);
    expect(here.isPaused()).toBe(true);
    for (let i = 0; i < 4; i++) flow.end(piece, session([]));
    expect(here.isPaused()).toBe(true);
    flow.end(piece, session([]));
    expect(here.isPaused()).toBe(false);
  });

  it('is ended when it asks for more than can wait, or leaves too many answers unread', async () => {
    const limits = { ...sftpLimits, unanswered: 3 };
    const one = await pair();
    const flood = new Flow(one.here, limits);
    for (let i = 0; i < 3; i++) flood.begin(0);
    expect(flood.closed).toBe(false);
    flood.begin(0);
    expect(flood.closed).toBe(true);
    const two = await pair();
    const deaf = new Flow(two.here, limits);
    deaf.begin(0);
    deaf.end(0, session([1, 2, 3, 4]));
    expect(deaf.closed).toBe(true);
  });

  it('waits with reading from the disk while answers are kept, and no longer than it lives', async () => {
    const { here, there } = await pair();
    const flow = new Flow(here, sftpLimits);
    const kept: unknown[] = [1];
    let room = false;
    const waiting = flow.room(session(kept)).then(() => {
      room = true;
    });
    const heard = new Promise((done) => here.once('data', done));
    there.write('x');
    await heard;
    await new Promise(setImmediate);
    expect(room).toBe(false);
    kept.length = 0;
    there.write('x');
    await waiting;
    const gone = flow.room(session([1]));
    there.destroy();
    await gone;
    expect(flow.closed).toBe(true);
  });
});
