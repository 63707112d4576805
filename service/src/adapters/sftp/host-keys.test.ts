// The host keys generated at the first start are readable then and at every later start.
import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { makeHostKey } from './host-keys.ts';

it('makes 1,500 Ed25519 host keys of which each can be read, also those whose public half begins with a zero byte', async () => {
  for (let i = 0; i < 1500; i++) {
    const key = ssh2.utils.parseKey(await makeHostKey('ed25519'));
    expect(key instanceof Error ? key.message : key.isPrivateKey()).toBe(true);
  }
});
