import { expect, it } from 'vitest';
import { probablyMeant } from './misspelt.ts';

const known = ['WEBHOOK_ALLOW_HTTP', 'WEBHOOK_ALLOW_CIDRS', 'PORT', 'SFTP_PORT', 'DATA_DIR'];

it.each([
  ['WEBHOOK_ALOW_HTTP', 'WEBHOOK_ALLOW_HTTP'],
  ['webhook_allow_http', 'WEBHOOK_ALLOW_HTTP'],
  ['WEBHOOK_ALLOW_CIDR', 'WEBHOOK_ALLOW_CIDRS'],
  ['SFT_PORT', 'SFTP_PORT'],
  ['DATADIR', 'DATA_DIR'],
])('finds what %s was to be', (name, meant) => {
  expect(probablyMeant(name, known)).toBe(meant);
});

it.each(['PATH', 'HOME', 'PWD', 'WEBHOOK_RETRIES', 'ORT_X', ''])('finds nothing for %j', (name) => {
  expect(probablyMeant(name, known)).toBeUndefined();
});
