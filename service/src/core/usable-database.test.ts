// What a start says of a database that it cannot use.
import { describe, expect, it } from 'vitest';
import { type DatabaseTraits, whyUnusable } from './usable-database.ts';

const sound: DatabaseTraits = { version: 160_000, standby: false, takesWrites: true, encoding: 'UTF8' };

describe('a database', () => {
  it.each([160_000, 170_004, 190_000])('of version %i is used', (version) => {
    expect(whyUnusable({ ...sound, version })).toBeUndefined();
  });

  it.each([
    [{ version: 150_020 }, 'the server of DATABASE_URL is PostgreSQL 15.20; Assay needs 16 or later'],
    [{ version: 90_624 }, 'Assay needs 16 or later'],
    [{ version: 150_020, standby: true, encoding: 'LATIN1' }, 'Assay needs 16 or later'],
    [{ standby: true }, 'is a standby'],
    [{ takesWrites: false }, 'default_transaction_read_only is on'],
    [{ encoding: 'LATIN1' }, 'has the encoding LATIN1'],
  ])('with %o is not', (of, why) => {
    expect(whyUnusable({ ...sound, ...of })).toContain(why);
  });
});
