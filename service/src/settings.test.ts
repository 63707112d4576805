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

describe('DATABASE_URL', () => {
  it.each([
    'postgres://assay_owner:pw@db.internal:5432/assay',
    'postgresql://db/assay?sslmode=require',
    'postgres://u:p%40w@db1:5432,db2,[fd00::2]:5433/assay?sslmode=require&target_session_attrs=read-write',
    'postgres://u@10.0.0.1,10.0.0.2/assay?target_session_attrs=primary',
    'postgres://u@db1,db2/assay?target_session_attrs=any',
    'postgres://u:p@/assay?host=%2Frun%2Fpostgresql&port=5432',
  ])('takes %s', (url) => {
    expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    'mysql://db/assay',
    'db.internal:5432',
    'postgres://u:p@db1:5432,/assay',
    'postgres://u:p@,db2/assay',
    'postgres://u:p@db1:5432 db2:5432/assay',
    'postgres://u:p@db1:port,db2/assay',
    'postgres://u:p@fd00::1,fd00::2/assay',
  ])("refuses '%s' without repeating its password", (url) => {
    expect(() => readSettings({ DATABASE_URL: url })).toThrow(
      /^settings: DATABASE_URL must read postgres:\/\/user:password@host:port\/database; several hosts[^;]*$/,
    );
  });

  it('refuses to go to servers that take no writes', () => {
    expect(() =>
      readSettings({ DATABASE_URL: 'postgres://u:p@db1,db2/assay?target_session_attrs=prefer-standby' }),
    ).toThrow(
      "settings: target_session_attrs of DATABASE_URL must be one of read-write, primary, any, not 'prefer-standby'",
    );
  });
});
