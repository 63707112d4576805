// Secrets at rest: what was sealed for one place opens there and nowhere else.
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeDatabase, type TestDatabase } from '../../test/support/app.ts';
import { masterKeyFrom, openVault, openWith, readMasterKey, rotateMaster, sealWith, Vault } from './sealed-secrets.ts';

const key = Buffer.alloc(32, 7);
const other = Buffer.alloc(32, 8);
const blinding = Buffer.alloc(32, 9);
const vaultOf = (...sealing: Buffer[]) => new Vault(new Map([blinding, ...sealing].map((k, i) => [i, k])));
const vault = vaultOf(key);

describe('a sealed text', () => {
  it('opens to what was sealed, of any characters and length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 60 }), (text, place) => {
        expect(vault.open(vault.seal(text, place), place)).toBe(text);
        expect(openWith(key, sealWith(key, text, place), place)).toBe(text);
      }),
    );
  });

  it('does not open in another place: a ciphertext moved to another row is worth nothing', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (a, b) => {
        fc.pre(a !== b);
        const sealed = vault.seal('whsec_abc', `accounts/${a}/secret`);
        expect(() => vault.open(sealed, `accounts/${b}/secret`)).toThrow();
        expect(() => vault.open(sealed, `provider_secrets/${a}/STRIPE`)).toThrow();
        expect(() => vault.open(sealed, '')).toThrow();
      }),
    );
  });

  it('does not open when any one bit of it is turned', () => {
    const sealed = Buffer.from(sealWith(key, 'secret', 'p'), 'base64');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const turned = Buffer.from(sealed);
      turned[bit >> 3] = (turned[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(() => openWith(key, turned.toString('base64'), 'p')).toThrow();
    }
  });

  it('does not open when it is cut short or lengthened', () => {
    const sealed = Buffer.from(sealWith(key, 'secret', 'p'), 'base64');
    for (let n = 0; n < sealed.length; n++)
      expect(() => openWith(key, sealed.subarray(0, n).toString('base64'), 'p'), String(n)).toThrow();
    expect(() => openWith(key, Buffer.concat([sealed, Buffer.from('x')]).toString('base64'), 'p')).toThrow();
  });

  it('does not open under another key, nor under an unknown or another key version', () => {
    const sealed = vault.seal('secret', 'p');
    expect(() => vaultOf(other).open(sealed, 'p')).toThrow('what is sealed at p was changed, or sealed by other keys');
    expect(() => vault.open(sealed.replace('v1:', 'v2:'), 'p')).toThrow('unknown key version at p');
    expect(() => vault.open(sealed.slice(3), 'p')).toThrow('unknown key version');
    expect(() => vault.open('', 'p')).toThrow('unknown key version');
    expect(() => vaultOf(key, key).open(sealed.replace('v1:', 'v2:'), 'p')).toThrow();
    expect(() => vault.open(sealed.replace('v1:', 'v0:'), 'p')).toThrow();
  });

  it('is sealed with the newest key and still opens when there are newer ones', () => {
    const sealed = vault.seal('secret', 'p');
    const later = vaultOf(key, other);
    expect(later.open(sealed, 'p')).toBe('secret');
    expect(later.seal('secret', 'p')).toMatch(/^v2:/);
    expect(() => vault.open(later.seal('secret', 'p'), 'p')).toThrow('unknown key version');
  });

  it('is another text each time, and holds nothing of what was sealed', () => {
    const sealed = Array.from({ length: 200 }, () => vault.seal('a-planted-secret', 'p'));
    expect(new Set(sealed).size).toBe(200);
    for (const s of sealed) expect(Buffer.from(s.slice(3), 'base64').toString('latin1')).not.toContain('planted');
  });

  it('needs a key to seal with and one to blind with', () => {
    expect(() => new Vault(new Map([[0, key]]))).toThrow('needs its blinding key and a sealing key');
    expect(() => new Vault(new Map([[1, key]]))).toThrow('needs its blinding key and a sealing key');
  });
});

describe('a blinded value', () => {
  it('is equal for equal values only, and only under the same key', () => {
    const elsewhere = new Vault(
      new Map([
        [0, other],
        [1, key],
      ]),
    );
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(vault.blind(a) === vault.blind(b)).toBe(a === b);
        expect(vault.blind(a)).toBe(vaultOf(key, other).blind(a));
        expect(vault.blind(a)).not.toBe(elsewhere.blind(a));
        expect(vault.blind(a)).toMatch(/^[\w-]{27}$/);
      }),
    );
  });
});

const made: string[] = [];
const folder = () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-key-'));
  made.push(dir);
  return dir;
};
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

describe('the vault of a database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await makeDatabase();
  });
  beforeEach(() => database.admin.query('TRUNCATE vault_keys').then(() => undefined));
  afterAll(() => database.drop());

  it('has keys of its own, wrapped: the master key opens nothing that was sealed', async () => {
    const v = await openVault(database.admin, key);
    const sealed = v.seal('secret', 'p');
    expect((await openVault(database.admin, key)).open(sealed, 'p')).toBe('secret');
    expect(() => openWith(key, sealed.slice(3), 'p|v1')).toThrow();
    const rows = await database.admin.query<{ wrapped: string }>('SELECT wrapped FROM vault_keys');
    expect(rows).toHaveLength(2);
    for (const { wrapped } of rows) expect(() => openWith(key, wrapped, 'p|v1')).toThrow();
  });

  it('without its master key says so, and no other key is made and left behind', async () => {
    await openVault(database.admin, key);
    const file = join(folder(), 'secrets', 'master.key');
    await expect(openVault(database.admin, masterKeyFrom(undefined, file))).rejects.toThrow(
      `is missing: put it into ${file} or set ASSAY_MASTER_KEY`,
    );
    expect(existsSync(file)).toBe(false);
  });

  it('opens under its own master key alone, and says what to do', async () => {
    await openVault(database.admin, key);
    await expect(openVault(database.admin, other)).rejects.toThrow('set ASSAY_MASTER_KEY');
  });

  it('does not open when its wrapped keys were exchanged', async () => {
    await openVault(database.admin, key);
    await database.admin.query(
      'UPDATE vault_keys k SET wrapped = o.wrapped FROM vault_keys o WHERE o.version = 1 - k.version',
    );
    await expect(openVault(database.admin, key)).rejects.toThrow('not the one this database was sealed with');
  });

  it('is one vault though many services start at once over an empty database', async () => {
    const vaults = await Promise.all(Array.from({ length: 12 }, () => openVault(database.admin, key)));
    const sealed = vaults.map((v) => v.seal('secret', 'p'));
    for (const v of vaults) {
      for (const s of sealed) expect(v.open(s, 'p')).toBe('secret');
      expect(v.blind('x')).toBe(vaults[0]?.blind('x'));
    }
  });

  it('after a rotation opens what was sealed before, blinds as before, and shuts out the old master key', async () => {
    const before = await openVault(database.admin, key);
    const sealed = before.seal('secret', 'p');
    await rotateMaster(database.admin, key, other);
    const after = await openVault(database.admin, other);
    expect(after.open(sealed, 'p')).toBe('secret');
    expect(after.blind('ada@example.com')).toBe(before.blind('ada@example.com'));
    expect(after.seal('secret', 'p')).toMatch(/^v2:/);
    await expect(openVault(database.admin, key)).rejects.toThrow('not the one');
    await expect(rotateMaster(database.admin, key, other)).rejects.toThrow('not the one');
  });
});

describe('the master key', () => {
  it('is made at the first start, readable by its owner alone, and read again at the next', () => {
    const file = join(folder(), 'secrets', 'master.key');
    const first = masterKeyFrom(undefined, file)(true);
    expect(first).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
    expect(masterKeyFrom(undefined, file)(false)).toEqual(first);
  });

  it('differs between two installations', () => {
    const dir = folder();
    expect(masterKeyFrom(undefined, join(dir, 'a'))(true)).not.toEqual(masterKeyFrom(undefined, join(dir, 'b'))(true));
  });

  it('gets its mode back when somebody loosened it', () => {
    const file = join(folder(), 'k');
    writeFileSync(file, key.toString('base64'), { mode: 0o644 });
    expect(masterKeyFrom(undefined, file)(true)).toEqual(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is taken from the setting as hex or base64, and then no file is made', () => {
    const file = join(folder(), 'k');
    for (const text of [
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
      key.toString('base64'),
      ` ${key.toString('base64')}\n`,
    ])
      expect(masterKeyFrom(text, file)(true)).toEqual(key);
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('of any other length is refused', () => {
    const file = join(folder(), 'short');
    writeFileSync(file, Buffer.alloc(16).toString('base64'));
    expect(() => masterKeyFrom(undefined, file)(true)).toThrow(`the master key in ${file} must be 32 bytes`);
    for (const text of ['', 'abc', key.toString('hex').slice(2), Buffer.alloc(33).toString('base64')])
      expect(() => readMasterKey(text, 'a text'), text).toThrow('must be 32 bytes');
  });
});
