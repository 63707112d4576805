// Secrets at rest: what was sealed in one place opens there and nowhere else.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { loadVault, openWith, sealWith, Vault } from './sealed-secrets.ts';

const key = Buffer.alloc(32, 7);
const other = Buffer.alloc(32, 8);
const vault = new Vault(key);

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

  it('does not open under another key, nor under an unknown key version', () => {
    const sealed = vault.seal('secret', 'p');
    expect(() => new Vault(other).open(sealed, 'p')).toThrow();
    expect(() => vault.open(sealed.replace('v1:', 'v2:'), 'p')).toThrow('unknown key version at p');
    expect(() => vault.open(sealed.slice(3), 'p')).toThrow('unknown key version');
  });

  it('is another text each time, and holds nothing of what was sealed', () => {
    const sealed = Array.from({ length: 200 }, () => vault.seal('a-planted-secret', 'p'));
    expect(new Set(sealed).size).toBe(200);
    for (const s of sealed) expect(Buffer.from(s.slice(3), 'base64').toString('latin1')).not.toContain('planted');
  });

  it('does not open under the master key itself: sealing and blinding have keys of their own', () => {
    expect(() => openWith(key, vault.seal('secret', 'p').slice(3), 'p')).toThrow();
  });
});

describe('a blinded value', () => {
  it('is equal for equal values only, and only under the same master key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(vault.blind(a) === vault.blind(b)).toBe(a === b);
        expect(vault.blind(a)).toBe(new Vault(Buffer.from(key)).blind(a));
        expect(vault.blind(a)).not.toBe(new Vault(other).blind(a));
        expect(vault.blind(a)).toMatch(/^[\w-]{27}$/);
      }),
    );
  });
});

describe('the master key', () => {
  const made: string[] = [];
  const folder = () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-key-'));
    made.push(dir);
    return dir;
  };
  afterEach(() => {
    for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
  });

  it('is made at the first start, readable by its owner alone, and read again at the next', () => {
    const file = join(folder(), 'secrets', 'master.key');
    const sealed = loadVault(undefined, file).seal('secret', 'p');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
    expect(loadVault(undefined, file).open(sealed, 'p')).toBe('secret');
  });

  it('differs between two installations', () => {
    const [a, b] = [join(folder(), 'k'), join(folder(), 'k')];
    expect(loadVault(undefined, a).blind('x')).not.toBe(loadVault(undefined, b).blind('x'));
  });

  it('gets its mode back when somebody loosened it', () => {
    const file = join(folder(), 'k');
    writeFileSync(file, key.toString('base64'), { mode: 0o644 });
    loadVault(undefined, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is taken from the setting as hex or base64, and then no file is made', () => {
    const file = join(folder(), 'k');
    const sealed = loadVault(key.toString('hex'), file).seal('secret', 'p');
    expect(loadVault(key.toString('base64'), file).open(sealed, 'p')).toBe('secret');
    expect(loadVault(key.toString('hex').toUpperCase(), file).open(sealed, 'p')).toBe('secret');
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('of any other length is refused', () => {
    const dir = folder();
    mkdirSync(join(dir, 'x'), { recursive: true });
    writeFileSync(join(dir, 'short'), Buffer.alloc(16).toString('base64'));
    expect(() => loadVault(undefined, join(dir, 'short'))).toThrow('must be 32 bytes');
    expect(() => loadVault('abc', join(dir, 'none'))).toThrow('must be 32 bytes');
    expect(() => new Vault(Buffer.alloc(33))).toThrow('must be 32 bytes');
  });
});
