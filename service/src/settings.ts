// Reads and validates the settings. Only this file reads the environment.
import { isIP } from 'node:net';
import { relative, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { dueDaysOf, usualDueDays } from './core/cases/policy.ts';
import { wrongCron } from './core/cron.ts';
import { databaseAddress, identityOf, wrongInAddress } from './core/database-address.ts';
import { readLevelPolicy } from './core/level-policy.ts';
import { probablyMeant } from './core/misspelt.ts';
import { parseRange } from './core/public-address.ts';
import { severities } from './core/risk/review.ts';
import { readProviders } from './core/sign-in-providers.ts';
import type { LevelPolicy } from './core/standing.ts';
import { type SettingName, type SettingRow, settingRows } from './setting-rows.ts';

export { settingRows };

const everybodyBasic: LevelPolicy = { default: 'BASIC', byClassification: {} };
const secondFactorFor = ['none', 'administrators', 'all'] as const;

/** An address, or a range of them that is not everybody. */
const isNetwork = (text: string): boolean =>
  isIP(text) > 0 || (ipaddr.isValidCIDR(text) && ipaddr.parseCIDR(text)[1] > 0);

/** An address, also with a port. */
function isNameServer(text: string): boolean {
  const [, v6, v4, port = '53'] = /^(?:\[([^\]%]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return isIP(v6 ?? v4 ?? text) > 0 && Number(port) >= 1 && Number(port) <= 65_535;
}

/** Addresses that only this machine can reach. */
const onThisMachine = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);

/** An http or https address to which paths can be added. */
function isBase(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && `${url.search}${url.hash}${url.username}` === '';
}

/** Finds variables that are probably misspelt settings, which would otherwise be silently ignored. */
export function misspeltSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const names: readonly string[] = settingRows.map((r) => r.name);
  return Object.keys(env)
    .filter((name) => !names.includes(name))
    .flatMap((name) => {
      const meant = probablyMeant(name, names);
      return meant === undefined ? [] : [`Assay has no setting ${name} and ignores it; is ${meant} meant?`];
    });
}

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/**
 * Reads and validates all settings.
 * @throws an Error whose message names every invalid setting, the form of its value and what is allowed
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>) {
  const problems: string[] = [];
  const text = (name: SettingName): string => {
    const given = env[name]?.trim();
    return given || (settingRows.find((r) => r.name === name) as SettingRow).default;
  };
  const whole = (name: SettingName, min: number, max: number): number => {
    const n = Number(text(name));
    if (!Number.isInteger(n) || n < min || n > max)
      problems.push(`${name} must be a whole number from ${min} to ${max}`);
    return n;
  };
  const oneOf = <T extends string>(name: SettingName, value: string, allowed: readonly T[], of = ''): T => {
    if (!allowed.includes(value as T))
      problems.push(`${of}${name} must be one of ${allowed.join(', ')}, not '${value}'`);
    return value as T;
  };
  const parts = (name: SettingName): string[] =>
    text(name)
      .split(',')
      .map((p) => p.trim())
      .filter(Boolean);
  const requiredLevel = readLevelPolicy(parts('REQUIRED_LEVEL'));
  if (requiredLevel instanceof Error) problems.push(`REQUIRED_LEVEL ${requiredLevel.message}`);
  const databaseUrl = text('DATABASE_URL') || undefined;
  if (databaseUrl && databaseAddress.test(databaseUrl)) {
    const wrong = wrongInAddress(databaseUrl);
    if (wrong !== undefined) problems.push(`DATABASE_URL ${wrong}`);
  } else if (databaseUrl)
    problems.push(
      'DATABASE_URL must read postgres://user:password@host:port/database; several hosts stand beside each other, separated by commas, and in the user and the password the characters @ : / ? # % and space are written %40 %3A %2F %3F %23 %25 %20',
    );
  const wanted = /[?&]target_session_attrs=([^&]*)/.exec(databaseUrl ?? '')?.[1];
  if (wanted !== undefined) oneOf('DATABASE_URL', wanted, ['read-write', 'primary', 'any'], 'target_session_attrs of ');
  const masterKey = text('ASSAY_MASTER_KEY') || undefined;
  if (masterKey && !/^[0-9a-f]{64}$/i.test(masterKey) && Buffer.from(masterKey, 'base64').length !== 32)
    problems.push('ASSAY_MASTER_KEY must be 32 bytes as hex or base64');
  const sftpHost = text('SFTP_HOST') || text('HOST');
  const drops = text('CDR_SFTP') === 'embedded' && text('ROLE') !== 'follow';
  if (drops && sftpHost === text('HOST') && text('PORT') !== '0' && text('SFTP_PORT') === text('PORT'))
    problems.push(`SFTP_PORT must be another port than PORT, ${text('PORT')}`);
  const allowHttp = text('WEBHOOK_ALLOW_HTTP');
  if (allowHttp !== '') oneOf('WEBHOOK_ALLOW_HTTP', allowHttp, ['true', 'false']);
  const allowCidrs = parts('WEBHOOK_ALLOW_CIDRS');
  for (const range of allowCidrs)
    if (!parseRange(range)) problems.push(`WEBHOOK_ALLOW_CIDRS must hold ranges such as 10.20.0.0/16, not '${range}'`);
  const trustedProxies = parts('TRUSTED_PROXIES');
  const baseUrl = text('BASE_URL') || undefined;
  if (baseUrl !== undefined && !isBase(baseUrl))
    problems.push(
      `BASE_URL must be an address such as https://api.example.com, with nothing behind its path; not '${baseUrl}'`,
    );
  /** Only this machine reaches the service, not by way of a proxy either: its users could do the same without it. */
  const isLocal =
    onThisMachine(text('HOST')) &&
    (text('CDR_SFTP') !== 'embedded' || onThisMachine(sftpHost)) &&
    trustedProxies.length === 0 &&
    (baseUrl === undefined || onThisMachine(URL.parse(baseUrl)?.hostname.replace(/^\[|\]$/g, '') ?? ''));
  for (const range of trustedProxies)
    if (!isNetwork(range))
      problems.push(`TRUSTED_PROXIES must hold addresses or ranges such as 10.1.0.0/16, not '${range}'`);
  const dnsServers = parts('WEBHOOK_DNS');
  for (const server of dnsServers)
    if (!isNameServer(server))
      problems.push(`WEBHOOK_DNS must hold IP addresses such as 9.9.9.9 or 9.9.9.9:53, not '${server}'`);
  const listed = (name: SettingName) => parts(name).filter((word) => word !== 'none');
  const requireTwoPersons = listed('REQUIRE_TWO_PERSONS').map((word) =>
    oneOf('REQUIRE_TWO_PERSONS', word, [
      'rates',
      'levels',
      'cases',
      'operator-keys',
      'authorities',
      'erasure',
    ] as const),
  );
  const dueDays = dueDaysOf(listed('CASE_DUE_DAYS'));
  if (dueDays instanceof Error) problems.push(`CASE_DUE_DAYS ${dueDays.message}`);
  const providers = readProviders(text('SIGN_IN_PROVIDERS'));
  if (providers instanceof Error) problems.push(`SIGN_IN_PROVIDERS ${providers.message}`);
  else if (providers.length > 0 && !text('BASE_URL')) problems.push('SIGN_IN_PROVIDERS needs BASE_URL');
  const secondPerson = listed('CASE_SECOND_PERSON').map((word) => oneOf('CASE_SECOND_PERSON', word, severities));
  const cron = (name: SettingName): string | undefined => {
    const value = text(name);
    const wrong = value === 'off' ? undefined : wrongCron(value);
    if (wrong !== undefined) problems.push(`${name} ${wrong}`);
    return value === 'off' ? undefined : value;
  };
  const backupDir = text('BACKUP_DIR');
  if (backupDir && !relative(resolve(text('DATA_DIR')), resolve(backupDir)).startsWith('..'))
    problems.push('BACKUP_DIR must be a folder outside of DATA_DIR, on another disk if possible');
  const backups = {
    dir: backupDir,
    /** Five cron fields; undefined for never. */
    cron: cron('BACKUP_CRON'),
    keep: {
      daily: whole('BACKUP_KEEP_DAILY', 0, 10_000),
      weekly: whole('BACKUP_KEEP_WEEKLY', 0, 10_000),
      monthly: whole('BACKUP_KEEP_MONTHLY', 0, 10_000),
    },
    maxAgeMs: whole('BACKUP_MAX_AGE_HOURS', 1, 10_000) * 3_600_000,
  };
  const auditUrl = text('AUDIT_WEBHOOK_URL');
  const auditSecret = text('AUDIT_WEBHOOK_SECRET');
  if (auditUrl && !/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(auditSecret))
    problems.push('AUDIT_WEBHOOK_SECRET must be whsec_ and 24 bytes or more as base64, for AUDIT_WEBHOOK_URL is set');
  const collector = text('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (collector && !/^https?:$/.test(URL.parse(collector)?.protocol ?? ''))
    problems.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address');
  const role = text('ROLE') ? oneOf('ROLE', text('ROLE'), ['all', 'serve', 'follow'] as const) : undefined;
  if ((role === 'all' || role === 'follow') && text('WORKERS') !== '1')
    problems.push(`WORKERS must be 1 with ROLE=${role}, which is one process`);
  const settings = {
    /** What processes on one database need alike, as given. */
    alike: Object.fromEntries(settingRows.filter((r) => r.alike).map((r) => [r.name, text(r.name)])),
    port: whole('PORT', 0, 65535),
    host: text('HOST'),
    /** Undefined for both, each in processes of its own; a process composed with it does both. */
    role,
    workers: text('WORKERS') === 'auto' ? ('auto' as const) : whole('WORKERS', 1, 64),
    dataDir: text('DATA_DIR'),
    databaseUrl,
    /** Which database it is, without its password: the same text in processes that mean the same one. */
    database: databaseUrl === undefined ? 'embedded' : identityOf(databaseUrl, env),
    /** A service elsewhere, for the command line to use instead of one on this machine; not validated. */
    remote: text('ASSAY_URL') ? { url: text('ASSAY_URL'), apiKey: text('ASSAY_API_KEY') } : undefined,
    masterKey,
    logLevel: oneOf('LOG_LEVEL', text('LOG_LEVEL'), ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    baseUrl,
    /** Trace collector; undefined for none. */
    traceCollector: collector || undefined,
    pspNames: parts('PSP_NAMES'),
    /** Changes that need two persons. */
    requireTwoPersons,
    signInProviders: providers instanceof Error ? [] : providers,
    /** Who needs a second factor to sign in. */
    requireSecondFactor: oneOf('REQUIRE_SECOND_FACTOR', text('REQUIRE_SECOND_FACTOR'), secondFactorFor),
    /** When cases are due, and which ones need a second person. */
    cases: { dueDays: dueDays instanceof Error ? usualDueDays : dueDays, secondPerson },
    /** What happens where the rate of a tax is not known. */
    unknownTax: oneOf('UNKNOWN_TAX', text('UNKNOWN_TAX'), ['record', 'refuse']),
    requiredLevel: requiredLevel instanceof Error ? everybodyBasic : requiredLevel,
    ratePerSecond: whole('RATE_PER_SECOND', 1, 10_000_000),
    rateBurst: whole('RATE_BURST', 1, 10_000_000),
    /** Networks whose x-forwarded-for is believed. */
    trustedProxies,
    maxConnections: whole('MAX_CONNECTIONS', 16, 1_000_000),
    /** Most bytes of unread bodies. */
    bodyBudget: whole('BODY_BUDGET', 65_536, 16 * 2 ** 30),
    bodyLimit: whole('BODY_LIMIT', 1024, 64 << 20),
    basketBodyLimit: whole('BASKET_BODY_LIMIT', 1024, 64 << 20),
    batchLimit: whole('BATCH_LIMIT', 1, 4096),
    queueLimit: whole('QUEUE_LIMIT', 1, 1_000_000),
    queueAgeMs: whole('QUEUE_AGE_MS', 1, 60_000),
    /** Milliseconds between SIGTERM and the end of serving. */
    stopDelayMs: whole('STOP_DELAY_MS', 0, 300_000),
    /** Milliseconds from the end of serving until a stop that hangs is ended. */
    stopLimitMs: whole('STOP_LIMIT_MS', 100, 600_000),
    /** Milliseconds of silence after which a supervisor replaces a worker; 0 for never. */
    workerSilenceMs: whole('WORKER_SILENCE_MS', 0, 3_600_000),
    databasePool: whole('DATABASE_POOL', 2, 200),
    /** Milliseconds; 0 for no limit, as for commands. */
    databaseWaitMs: whole('DATABASE_WAIT_MS', 100, 600_000),
    webhookConcurrency: whole('WEBHOOK_CONCURRENCY', 0, 10_000),
    webhookLimit: whole('WEBHOOK_LIMIT', 1, 1000),
    webhookAllowHttp: allowHttp === '' ? databaseUrl === undefined && isLocal : allowHttp === 'true',
    /** Plain http is forbidden because others can reach the service, although the embedded database suggests development. */
    webhookHttpUnset: allowHttp === '' && databaseUrl === undefined && !isLocal,
    webhookAllowCidrs: allowCidrs,
    /** Addresses, with or without a port; empty for the machine's own. */
    webhookDns: dnsServers,
    /** Undefined if there is no auditor. */
    auditWebhook: auditUrl ? { url: auditUrl, secret: auditSecret } : undefined,
    cdrSftp: oneOf('CDR_SFTP', text('CDR_SFTP'), ['embedded', 'external', 'off']),
    sftpPort: whole('SFTP_PORT', 0, 65535),
    sftpHost,
    /** Five cron fields; undefined for never. */
    cdrPickupCron: cron('CDR_PICKUP_CRON'),
    cdrFileLimit: whole('CDR_FILE_LIMIT', 1, Number.MAX_SAFE_INTEGER),
    /** Days; 0 for ever. */
    cdrArchiveDays: whole('CDR_ARCHIVE_DAYS', 0, 36_500),
    screeningCustomerDays: whole('SCREENING_CUSTOMER_DAYS', 0, 400),
    /** Five cron fields; undefined for never. */
    retentionCron: cron('RETENTION_CRON'),
    /** When licences that end are warned of. */
    licenceCron: cron('LICENCE_CRON'),
    reportScheduleCron: cron('REPORT_SCHEDULE_CRON'),
    /** Days; 0 for ever. */
    retentionWebhookBodiesDays: whole('RETENTION_WEBHOOK_BODIES_DAYS', 0, 36_500),
    /** Days; 0 for ever. */
    retentionRejectedLinesDays: whole('RETENTION_REJECTED_LINES_DAYS', 0, 36_500),
    /** Days; 0 logs none. */
    requestLogDays: whole('REQUEST_LOG_DAYS', 0, 400),
    requestLogPerMinute: whole('REQUEST_LOG_PER_MINUTE', 4, 100_000),
    /** Least age of a month that may be archived; 0 for none. */
    archiveAfterMonths: whole('ARCHIVE_AFTER_MONTHS', 0, 1200),
    /** Undefined if no backups are scheduled. */
    backups: backupDir ? backups : undefined,
    cesopXsdDir: text('CESOP_XSD_DIR') || undefined,
  };
  if (problems.length > 0) throw new Error(`settings: ${problems.join('; ')}`);
  return settings;
}
