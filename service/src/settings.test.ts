// Settings that are lists are read whole or refused with what is wrong.
import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';

describe('WEBHOOK_DNS', () => {
  it.each([
    ['', []],
    ['9.9.9.9', ['9.9.9.9']],
    ['9.9.9.9:53, [2620:fe::fe]:53,2620:fe::fe', ['9.9.9.9:53', '[2620:fe::fe]:53', '2620:fe::fe']],
  ])("takes '%s'", (text, servers) => {
    expect(readSettings({ WEBHOOK_DNS: text }).webhookDns).toEqual(servers);
  });

  it.each(['dns.example', '9.9.9.9:x', 'https://9.9.9.9'])("refuses '%s'", (text) => {
    expect(() => readSettings({ WEBHOOK_DNS: text })).toThrow(
      `settings: WEBHOOK_DNS must hold IP addresses such as 9.9.9.9 or 9.9.9.9:53, not '${text}'`,
    );
  });
});
