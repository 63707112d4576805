// A list file in the making: it ends with its last line, or breaks off; it never ends early without saying so.
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { Refusal, refuse } from '../../core/refusal.ts';
import type { Call, Operation } from '../../modules/kernel/operation.ts';
import { loadReference } from '../../platform/data-files.ts';
import type { Pool } from '../../platform/database.ts';
import { makeLog } from '../../platform/log.ts';
import { ListFiles, mostRows, wantsFile } from './list-files.ts';

const operation = {
  id: 'listThings',
  method: 'GET',
  path: '/v1/thing',
  query: Type.Object({ limit: Type.Optional(Type.Integer()), cursor: Type.Optional(Type.String()) }),
  content: Type.Object({ items: Type.Array(Type.Object({ name: Type.String() })) }),
} as unknown as Operation;
const call = { principal: { actor: 'key_1' }, query: {} } as unknown as Call;

function made() {
  const logged: string[] = [];
  const files = new ListFiles({
    clock: () => Date.parse('2026-11-21T10:00:00Z'),
    log: makeLog('info', { write: (line) => void logged.push(line) }),
    reference: loadReference(),
    db: {} as Pool,
  });
  return { files, logged };
}

/** Pages of 200 without an end; each page fails that `fails` says. */
const endless =
  (fails: (page: number) => unknown = () => undefined) =>
  (c: Call) => {
    const { limit, cursor = '0' } = c.query as { limit: number; cursor?: string };
    const page = Number(cursor);
    const failure = fails(page);
    if (failure) return Promise.reject(failure as Error);
    const items = Array.from({ length: limit }, (_, i) => ({ name: `row ${page * limit + i}` }));
    return Promise.resolve({ message: '', content: { items, nextCursor: String(page + 1) } });
  };

async function textOf(body: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = '';
  for await (const piece of body) text += String(piece);
  return text;
}

describe('a list file', () => {
  it('stops at its bound and says in its last line how to go on', async () => {
    const { files } = made();
    const { body, headers } = await files.begin({ operation, call, read: endless() });
    expect(headers['content-disposition']).toBe('attachment; filename="things-2026-11-21.csv"');
    const lines = (await textOf(body)).split('\r\n');
    expect(lines.length).toBe(mostRows + 3);
    expect([lines[0], lines[1], lines[mostRows]]).toEqual(['Name', 'row 0', `row ${mostRows - 1}`]);
    expect(lines[mostRows + 1]).toBe(
      '"Not all rows: 100,000 rows, read from 2026-11-21T10:00:00.000Z to 2026-11-21T10:00:00.000Z; ask again with cursor=500 for those that follow"',
    );
  });

  it('breaks off where a page fails, as when its key is revoked meanwhile', async () => {
    const { files, logged } = made();
    const revoked = refuse('KEY_INVALID', 'the key is revoked');
    const { body } = await files.begin({ operation, call, read: endless((page) => page === 3 && revoked) });
    await expect(textOf(body)).rejects.toBe(revoked);
    expect(logged.join()).toContain('broken off');
  });

  it('is refused before its first byte where the list is', async () => {
    const { files } = made();
    const read = endless(() => refuse('QUERY_INVALID', 'no such filter'));
    await expect(files.begin({ operation, call, read })).rejects.toBeInstanceOf(Refusal);
  });

  it('is one of two for each caller, and makes room when it is done', async () => {
    const { files } = made();
    const begin = () => files.begin({ operation, call, read: endless() });
    const [first] = await Promise.all([begin(), begin()]);
    await expect(begin()).rejects.toMatchObject({ code: 'OVERLOADED' });
    const other = { ...call, principal: { ...call.principal, actor: 'key_2' } } as Call;
    await files.begin({ operation, call: other, read: endless() });
    await textOf(first.body);
    await begin();
    files.stop();
  });

  it('is broken off by a stop, and none begins after it', async () => {
    const { files } = made();
    const { body } = await files.begin({ operation, call, read: endless() });
    const read = textOf(body);
    files.stop();
    await expect(read).rejects.toThrow('the service stops');
    await expect(files.begin({ operation, call, read: endless() })).rejects.toMatchObject({ code: 'OVERLOADED' });
  });
});

describe('a request for a file', () => {
  it.each([
    ['text/csv', true],
    ['text/csv; header=present, */*', true],
    ['TEXT/CSV', true],
    ['application/json, text/csv', false],
    ['*/*', false],
    ['text/csvx', false],
    [undefined, false],
  ])('is told from others by its Accept: %s', (accept, wanted) => {
    expect(wantsFile(operation, accept)).toBe(wanted);
  });
});
