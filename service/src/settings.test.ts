// Settings that are lists are read completely, or refused with the reason.
import { describe, expect, it } from 'vitest';
import { misspeltSettings, readSettings, settingRows } from './settings.ts';

describe('WEBHOOK_DNS', () => {
  it.each([
    ['', []],
    ['9.9.9.9', ['9.9.9.9']],
    ['9.9.9.9:53, [2620:fe::fe]:53,2620:fe::fe', ['9.9.9.9:53', '[2620:fe::fe]:53', '2620:fe::fe']],
  ])("takes '%s'", (text, servers) => {
    expect(readSettings({ WEBHOOK_DNS: text }).webhookDns).toEqual(servers);
  });

  it.each([
    'dns.example',
    '9.9.9.9:x',
    'https://9.9.9.9',
    '9.9.9.9:99999',
    '9.9.9.9:0',
    '999.9.9.9',
    '[9.9.9]:53',
    ':',
  ])("refuses '%s'", (text) => {
    expect(() => readSettings({ WEBHOOK_DNS: text })).toThrow(
      `settings: WEBHOOK_DNS must hold IP addresses such as 9.9.9.9 or 9.9.9.9:53, not '${text}'`,
    );
  });
});

describe('WEBHOOK_ALLOW_CIDRS', () => {
  it.each(['10.0.0.0/8', '10.20.0.0/16, fd00::/8', '192.0.2.7/32'])("takes '%s'", (text) => {
    expect(readSettings({ WEBHOOK_ALLOW_CIDRS: text }).webhookAllowCidrs).toEqual(text.split(', '));
  });

  it.each(['10.0.0.0', '10.0.0.0/33', '999.0.0.0/8', 'fd00::/129', '10.0/8'])("refuses '%s' by name", (text) => {
    expect(() => readSettings({ WEBHOOK_ALLOW_CIDRS: text })).toThrow(
      `settings: WEBHOOK_ALLOW_CIDRS must hold ranges such as 10.20.0.0/16, not '${text}'`,
    );
  });
});

describe('UNKNOWN_TAX', () => {
  it('records without a value, refuses if it is told to, and takes no other', () => {
    expect(['', 'record', 'refuse'].map((text) => readSettings({ UNKNOWN_TAX: text }).unknownTax)).toEqual([
      'record',
      'record',
      'refuse',
    ]);
    expect(() => readSettings({ UNKNOWN_TAX: 'deny' })).toThrow('UNKNOWN_TAX must be one of record, refuse');
  });
});

describe('REQUIRED_LEVEL', () => {
  it.each([
    ['', { default: 'BASIC', byClassification: {} }],
    ['ENHANCED', { default: 'ENHANCED', byClassification: {} }],
    [
      'IGAMING_GLOBAL = ENHANCED, UNVERIFIED',
      { default: 'UNVERIFIED', byClassification: { IGAMING_GLOBAL: 'ENHANCED' } },
    ],
  ])("takes '%s'", (text, policy) => {
    expect(readSettings({ REQUIRED_LEVEL: text }).requiredLevel).toEqual(policy);
  });

  it.each([
    ['igaming_global=ENHANCED', /must name classifications among IGAMING_GLOBAL, .*, not 'igaming_global'/],
    ['IGAMING_GLOBL=ENHANCED', /not 'IGAMING_GLOBL'/],
    ['=ENHANCED', /must name classifications/],
    ['IGAMING_GLOBAL=ENHANCED=BASIC', /must be one of UNVERIFIED, BASIC, ENHANCED, not 'ENHANCED=BASIC'/],
    ['ENHANCED,BASIC', /gives two levels for all classifications/],
    ['IGAMING_GLOBAL=ENHANCED,IGAMING_GLOBAL=BASIC', /gives two levels for IGAMING_GLOBAL/],
  ])("refuses '%s', which would ask for less than was meant", (text, why) => {
    expect(() => readSettings({ REQUIRED_LEVEL: text })).toThrow(why);
  });
});

describe('BASE_URL', () => {
  it.each(['https://api.example.com', 'http://localhost:8080/', 'https://example.com/assay'])("takes '%s'", (text) => {
    expect(readSettings({ BASE_URL: text }).baseUrl).toBe(text);
  });

  it.each(['api.example.com', 'localhost:8080', 'ftp://api.example.com', 'https://', 'https://a.example/?x=1'])(
    "refuses '%s', to which no path can be added",
    (text) => {
      expect(() => readSettings({ BASE_URL: text })).toThrow(
        `BASE_URL must be an address such as https://api.example.com, with nothing behind its path; not '${text}'`,
      );
    },
  );
});

describe('times of jobs', () => {
  it.each(settingRows.map((r) => r.name).filter((name) => name.endsWith('_CRON')))(
    'are refused by name in %s where the scheduler would not take them',
    (name) => {
      expect(() => readSettings({ [name]: '99 * * * *' })).toThrow(`settings: ${name} has '99' for the minute, which`);
    },
  );
});

describe('SFTP_PORT', () => {
  it('is another port than PORT where one process listens on both', () => {
    for (const more of [{ CDR_SFTP: 'off' }, { SFTP_HOST: '127.0.0.2' }, { ROLE: 'follow' }, { SFTP_PORT: '2223' }])
      expect(readSettings({ PORT: '2222', ...more }).port).toBe(2222);
    readSettings({ PORT: '0', SFTP_PORT: '0' });
    expect(() => readSettings({ PORT: '2222' })).toThrow('SFTP_PORT must be another port than PORT, 2222');
  });
});

describe('ROLE', () => {
  it.each([
    ['', undefined],
    ['all', 'all'],
    ['serve', 'serve'],
    ['follow', 'follow'],
  ])("takes '%s'", (text, role) => {
    expect(readSettings({ ROLE: text }).role).toBe(role);
  });

  it('refuses another, and more than one process where it is one', () => {
    expect(() => readSettings({ ROLE: 'both' })).toThrow('ROLE must be one of all, serve, follow');
    for (const role of ['all', 'follow'])
      for (const count of ['2', 'auto'])
        expect(() => readSettings({ ROLE: role, WORKERS: count })).toThrow(`WORKERS must be 1 with ROLE=${role}`);
    expect(readSettings({ ROLE: 'serve', WORKERS: '2' }).workers).toBe(2);
  });

  it('is not thought to be meant by what an environment has', () => {
    expect(misspeltSettings({ HOME: '/', SHELL: 'sh', TERM: 'x', USER: 'me', LOGNAME: 'me', PROFILE: 'x' })).toEqual(
      [],
    );
  });
});

describe('DATABASE_URL', () => {
  it.each([
    'postgres://assay_owner:pw@db.internal:5432/assay',
    'postgresql://db/assay?sslmode=require',
    `postgres://u:${encodeURIComponent('p@s:s/w?o#r%d &é')}@db1/assay`,
    'postgres://u:p:w!$&+=,;~*@db1/assay',
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
    ...['p@w', 'p/w', 'p#w', 'p?w', 'p%w', 'p w', '1/p@w'].map((password) => `postgres://u:${password}@db1/assay`),
  ])("refuses '%s' without repeating its password", (url) => {
    expect(() => readSettings({ DATABASE_URL: url })).toThrow(
      /^settings: DATABASE_URL must read postgres:\/\/user:password@host:port\/database; several hosts[^;]*$/,
    );
  });

  it.each([
    ['postgres://u:secret@db1:99999/assay', 'has the port 99999; ports go to 65535'],
    ['postgres://u:secret@db1:5432,[fd00::2]:70000/assay', 'has the port 70000; ports go to 65535'],
    [
      'postgres://u:secret@db1/assay?ssl_mode=require',
      "has the parameter 'ssl_mode', which PostgreSQL does not know; is sslmode meant?",
    ],
    [
      'postgres://u:secret@db1/assay?sslMode=require',
      "has the parameter 'sslMode', which PostgreSQL does not know; is sslmode meant?",
    ],
    ['postgres://u:secret@db1/assay?tls=on', "has the parameter 'tls', which PostgreSQL does not know"],
    [
      'postgres://u:secret@db1/assay?sslmode=verify_full',
      "has the sslmode 'verify_full', which must be one of disable, allow, prefer, require, verify-ca, verify-full, no-verify",
    ],
  ])("refuses '%s', which would be sent elsewhere or in clear", (url, why) => {
    expect(() => readSettings({ DATABASE_URL: url })).toThrow(new Error(`settings: DATABASE_URL ${why}`));
  });

  it.each([
    'postgres://u:p@db1/assay?sslmode=verify-full&sslrootcert=/etc/assay/ca.crt&sslcert=/a&sslkey=/b',
    'postgres://u:p:99999@db1/assay?application_name=a&channel_binding=require&connect_timeout=5&',
    'postgres:///assay?host=/run/postgresql&options=-c%20search_path%3Dpublic',
  ])('takes the parameters of PostgreSQL: %s', (url) => {
    expect(readSettings({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('refuses to go to servers that take no writes', () => {
    expect(() =>
      readSettings({ DATABASE_URL: 'postgres://u:p@db1,db2/assay?target_session_attrs=prefer-standby' }),
    ).toThrow(
      "settings: target_session_attrs of DATABASE_URL must be one of read-write, primary, any, not 'prefer-standby'",
    );
  });
});

describe('WEBHOOK_ALLOW_HTTP without a value', () => {
  const read = (env: Record<string, string>) => {
    const { webhookAllowHttp, webhookHttpUnset } = readSettings(env);
    return { allowed: webhookAllowHttp, told: webhookHttpUnset };
  };
  const database = { DATABASE_URL: 'postgres://db/assay' };

  it.each([
    {},
    { HOST: 'localhost' },
    { HOST: '127.0.0.2', SFTP_HOST: '::1' },
    { SFTP_HOST: '0.0.0.0', CDR_SFTP: 'off' },
    { BASE_URL: 'http://localhost:8080' },
    { BASE_URL: 'http://[::1]:8080/' },
  ])('allows http and inner addresses where nobody else reaches the service: %o', (env) => {
    expect(read(env)).toEqual({ allowed: true, told: false });
  });

  it.each([
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.1.5' },
    { HOST: 'assay.internal' },
    { HOST: '127.0.0.1.example.com' },
    { SFTP_HOST: '0.0.0.0' },
    // Behind a proxy on the same machine.
    { BASE_URL: 'https://assay.example.com' },
    { TRUSTED_PROXIES: '127.0.0.1' },
  ])('forbids them, and says so at the start, where others reach it: %o', (env) => {
    expect(read(env)).toEqual({ allowed: false, told: true });
    expect(read({ ...env, WEBHOOK_ALLOW_HTTP: 'true' })).toEqual({ allowed: true, told: false });
    expect(read({ ...env, WEBHOOK_ALLOW_HTTP: 'false' })).toEqual({ allowed: false, told: false });
  });

  it('forbids them with a database of your own', () => {
    expect(read(database)).toEqual({ allowed: false, told: false });
    expect(read({ ...database, HOST: '0.0.0.0' })).toEqual({ allowed: false, told: false });
  });
});

describe('a misspelt setting', () => {
  it('is named with the one that was probably meant', () => {
    expect(misspeltSettings({ WEBHOOK_ALOW_HTTP: 'false', PATH: '/bin', PORT: '1', HOSTNAME: 'a' })).toEqual([
      'Assay has no setting WEBHOOK_ALOW_HTTP and ignores it; is WEBHOOK_ALLOW_HTTP meant?',
    ]);
  });

  it('is found for every setting of some length that lacks a letter', () => {
    for (const { name } of settingRows.filter((r) => r.name.length > 6))
      expect(misspeltSettings({ [name.slice(0, -1)]: 'x' })).toHaveLength(1);
  });
});
