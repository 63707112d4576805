// Many bytes as a parameter: PostgreSQL receives exactly these, and the connection serves on after an error.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDatabase, type TestDatabase } from '../../test/support/app.ts';
import { largeBytes } from './bytes-parameter.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await makeDatabase();
});
afterAll(() => database.drop());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** In memory that threads share, beginning and ending within it. */
function shared(bytes: Uint8Array): Uint8Array {
  const view = new Uint8Array(new SharedArrayBuffer(bytes.length + 200), 100, bytes.length);
  view.set(bytes);
  return view;
}

describe('a parameter of many bytes', () => {
  it('arrives as it is, on one connection after another', async () => {
    for (const length of [1, 65_535, 65_536, 65_537, 1_000_003, 20_000_001]) {
      const bytes = randomBytes(length);
      for (const sent of [bytes, shared(bytes)]) {
        const found = await database.admin.transaction(async (tx) => [
          await tx.query(`SELECT octet_length($1::bytea) AS n, encode(sha256($1), 'hex') AS hash`, [sent]),
          await tx.query('SELECT $1::integer AS n', [length]),
        ]);
        expect(found).toEqual([[{ n: length, hash: sha256(bytes) }], [{ n: length }]]);
      }
    }
  });

  it('may be refused, and what follows on the connection is answered', async () => {
    const bytes = shared(randomBytes(200_000));
    expect(largeBytes([bytes])).toBe(bytes);
    const told = await database.admin.transaction(async (tx) => {
      await tx.query('SAVEPOINT s');
      const refused = await tx.query('SELECT 1 / (octet_length($1::bytea) - 200000)', [bytes]).catch((e) => e.code);
      await tx.query('ROLLBACK TO SAVEPOINT s');
      const [row] = await tx.query('SELECT octet_length($1::bytea) AS n', [bytes]);
      return { refused, row };
    });
    expect(told).toEqual({ refused: '22012', row: { n: 200_000 } });
  });

  it('is told apart from others', () => {
    expect(largeBytes([new Uint8Array(65_535)])).toBeUndefined();
    expect(largeBytes([new Uint8Array(65_536), 1])).toBeUndefined();
    expect(largeBytes(['x'.repeat(100_000)])).toBeUndefined();
    expect(largeBytes(undefined)).toBeUndefined();
  });
});
