// What the setting of sign-in providers may hold, and what it is told otherwise.
import { describe, expect, it } from 'vitest';
import { toWire } from './ids.ts';
import { readProviders } from './sign-in-providers.ts';

const account = '01900000-0000-7000-8000-000000000001';
const sound = {
  name: 'acme',
  issuer: 'https://login.acme.example/tenant',
  clientId: 'assay',
  accountId: toWire('psp', account),
};
const read = (...list: unknown[]) => readProviders(JSON.stringify(list));

describe('the list of sign-in providers', () => {
  it('is empty without a value, and has defaults that trust nothing', () => {
    expect(readProviders('')).toEqual([]);
    const { accountId: _, ...rest } = sound;
    expect(read(sound)).toEqual([{ ...rest, account, label: 'acme', clientSecret: undefined, secondFactor: 'never' }]);
  });

  it('takes plain http on this machine alone', () => {
    expect(read({ ...sound, issuer: 'http://127.0.0.1:4000' })).toHaveLength(1);
    expect(read({ ...sound, issuer: 'http://login.acme.example' })).toBeInstanceOf(Error);
    expect(read({ ...sound, issuer: 'http://127.0.0.1.acme.example' })).toBeInstanceOf(Error);
  });

  it.each<[string, unknown[]]>([
    ['no list', [1]],
    ['a name with a slash', [{ ...sound, name: 'a/b' }]],
    ['no issuer', [{ ...sound, issuer: undefined }]],
    ['no client', [{ ...sound, clientId: '' }]],
    ['no account', [{ ...sound, accountId: 'staff' }]],
    ['an unknown word', [{ ...sound, secondFactor: 'yes' }]],
    ['an unknown field', [{ ...sound, roles: ['administrator'] }]],
    ['one name twice', [sound, sound]],
  ])('refuses %s with a sentence', (_, list) => {
    expect((readProviders(JSON.stringify(list)) as Error).message).toMatch(/^(must|has|names) /);
  });

  it('refuses what is no JSON', () => {
    expect(readProviders('acme')).toEqual(new Error('must be a list in JSON'));
    expect(readProviders('{}')).toEqual(new Error('must be a list in JSON'));
  });
});
