// Every setting of the service: its name, default and meaning. This file alone reads the environment.

export interface SettingRow {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
}

/** The table; docs/reference/settings.md is generated from it. */
export const settingRows = [
  { name: 'PORT', default: '8080', meaning: 'Port of the HTTP entrance; 0 takes a free one.' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address the HTTP entrance listens on.' },
  { name: 'DATA_DIR', default: './data', meaning: 'Folder of the embedded database, keys and secrets.' },
  {
    name: 'DATABASE_URL',
    default: '',
    meaning:
      'A PostgreSQL 16+ server of your own instead of the embedded one. Its role must own the database and may create roles, or the role assay_app must exist.',
  },
  {
    name: 'ASSAY_MASTER_KEY',
    default: '',
    meaning:
      '32 bytes as hex or base64 that seal secrets and personal data. Without it a file under DATA_DIR is made at the first start.',
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: 'debug, info, warn, error or silent. At debug every request is logged, else only failed ones.',
  },
  {
    name: 'BASE_URL',
    default: '',
    meaning: 'Public address of the service, shown in the OpenAPI description and at start.',
  },
  {
    name: 'PSP_NAMES',
    default: 'STRIPE,PAYSTACK',
    meaning: 'Allowed values of psp in addPSPSecret, separated by commas.',
  },
  {
    name: 'REQUIRED_LEVEL',
    default: 'BASIC',
    meaning:
      'Verification level a client needs to be approved: UNVERIFIED, BASIC or ENHANCED; per classification as IGAMING_GLOBAL=ENHANCED, separated by commas.',
  },
  { name: 'RATE_PER_SECOND', default: '2000', meaning: 'Requests per second and key that refill its bucket.' },
  { name: 'RATE_BURST', default: '4000', meaning: 'Size of the bucket: requests a key may send at once.' },
  { name: 'BODY_LIMIT', default: '262144', meaning: 'Largest body in bytes.' },
  { name: 'BASKET_BODY_LIMIT', default: '1048576', meaning: 'Largest body of submitBasket in bytes.' },
  { name: 'BATCH_LIMIT', default: '256', meaning: 'Most commands in one commit.' },
  { name: 'QUEUE_LIMIT', default: '4096', meaning: 'Most commands waiting; past it 503.' },
  { name: 'QUEUE_AGE_MS', default: '250', meaning: 'Longest wait of a command in milliseconds; past it 503.' },
  { name: 'DATABASE_POOL', default: '10', meaning: 'Most database connections of a process.' },
  {
    name: 'WEBHOOK_CONCURRENCY',
    default: '256',
    meaning:
      'Most webhook deliveries a process has in hand, beside those to receivers that are silent for 2 s, of which there may be four times as many; 0 leaves delivering to other processes on the same database.',
  },
  { name: 'WEBHOOK_LIMIT', default: '10', meaning: 'Most webhook addresses of a client.' },
  {
    name: 'WEBHOOK_ALLOW_HTTP',
    default: '',
    meaning:
      'true allows webhook addresses with http://, with any port and on this machine itself. Without a value: allowed with the embedded database (development), refused with DATABASE_URL.',
  },
  {
    name: 'WEBHOOK_ALLOW_CIDRS',
    default: '',
    meaning:
      'Address ranges of your own network that webhooks may be sent to, such as 10.20.0.0/16,fd00::/8; without it public addresses only.',
  },
  {
    name: 'WEBHOOK_DNS',
    default: '',
    meaning:
      'DNS servers to ask for the names of webhook addresses, such as 9.9.9.9,[2620:fe::fe]:53; those of the machine without it.',
  },
  {
    name: 'AUDIT_WEBHOOK_URL',
    default: '',
    meaning:
      'Address of an auditor that the newest signed checkpoint of each PSP is posted to, at most one a minute; the rules for webhook addresses hold for it. None without it.',
  },
  {
    name: 'AUDIT_WEBHOOK_SECRET',
    default: '',
    meaning: 'Signs what is posted to AUDIT_WEBHOOK_URL as webhooks are: whsec_ and 24 bytes or more as base64.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: '',
    meaning: 'Address of a collector that traces are sent to (OTLP over HTTP, /v1/traces below it). None without it.',
  },
  {
    name: 'CDR_SFTP',
    default: 'embedded',
    meaning:
      'embedded starts the file drop for call detail records with the service; external leaves serving its folders under DATA_DIR to another SFTP server; off has none.',
  },
  { name: 'SFTP_PORT', default: '2222', meaning: 'Port of the file drop; 0 takes a free one.' },
  { name: 'SFTP_HOST', default: '', meaning: 'Address the file drop listens on; that of HOST without it.' },
  {
    name: 'CDR_PICKUP_CRON',
    default: '*/15 * * * *',
    meaning:
      'When finished call detail files are picked up: five fields of cron, UTC. off leaves it to other processes on the same database and disk, and to the command.',
  },
  { name: 'CDR_FILE_LIMIT', default: '2147483648', meaning: 'Largest call detail file in bytes.' },
  {
    name: 'CDR_ARCHIVE_DAYS',
    default: '400',
    meaning:
      'Days that call detail files are kept as they came after they were taken in; 0 keeps them for ever. Their records are not concerned.',
  },
  {
    name: 'RETENTION_CRON',
    default: '37 3 * * *',
    meaning:
      'When what is past its time is removed: five fields of cron, UTC. off leaves it to other processes on the same database.',
  },
  {
    name: 'RETENTION_WEBHOOK_BODIES_DAYS',
    default: '90',
    meaning:
      'Days that announcements are kept with their attempts and the answers to them, after all their deliveries have ended; 0 keeps them for ever. The journal keeps what happened.',
  },
  {
    name: 'RETENTION_REJECTED_LINES_DAYS',
    default: '400',
    meaning:
      'Days that rejected lines of call detail files are kept as they came, unless they are corrected or written off before; 0 keeps them for ever. What was wrong with them stays.',
  },
  {
    name: 'CESOP_XSD_DIR',
    default: '',
    meaning:
      'Folder with the XML schema of CESOP as the European Commission publishes it: the report cesop is validated against it. Without it the report says that it was not.',
  },
] as const satisfies readonly SettingRow[];

type SettingName = (typeof settingRows)[number]['name'];

export type Level = 'UNVERIFIED' | 'BASIC' | 'ENHANCED';

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly masterKey: string | undefined;
  readonly logLevel: string;
  readonly baseUrl: string | undefined;
  /** Collector of traces; undefined for none. */
  readonly traceCollector: string | undefined;
  readonly pspNames: readonly string[];
  readonly requiredLevel: { readonly default: Level; readonly byClassification: Readonly<Record<string, Level>> };
  readonly ratePerSecond: number;
  readonly rateBurst: number;
  readonly bodyLimit: number;
  readonly basketBodyLimit: number;
  readonly batchLimit: number;
  readonly queueLimit: number;
  readonly queueAgeMs: number;
  readonly databasePool: number;
  readonly webhookConcurrency: number;
  readonly webhookLimit: number;
  readonly webhookAllowHttp: boolean;
  readonly webhookAllowCidrs: readonly string[];
  /** Addresses, with or without a port; none for those of the machine. */
  readonly webhookDns: readonly string[];
  /** Undefined for none. */
  readonly auditWebhook: { readonly url: string; readonly secret: string } | undefined;
  readonly cdrSftp: 'embedded' | 'external' | 'off';
  readonly sftpPort: number;
  readonly sftpHost: string;
  /** Five fields of cron; undefined for never. */
  readonly cdrPickupCron: string | undefined;
  readonly cdrFileLimit: number;
  /** 0 for ever. */
  readonly cdrArchiveDays: number;
  /** Five fields of cron; undefined for never. */
  readonly retentionCron: string | undefined;
  /** 0 for ever. */
  readonly retentionWebhookBodiesDays: number;
  /** 0 for ever. */
  readonly retentionRejectedLinesDays: number;
  readonly cesopXsdDir: string | undefined;
}

/**
 * Reads and checks all settings.
 * @throws an Error whose message names every bad setting, its value's form and what is allowed
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
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
  const oneOf = <T extends string>(name: SettingName, value: string, allowed: readonly T[]): T => {
    if (!allowed.includes(value as T)) problems.push(`${name} must be one of ${allowed.join(', ')}, not '${value}'`);
    return value as T;
  };
  const levels = ['UNVERIFIED', 'BASIC', 'ENHANCED'] as const;
  let defaultLevel: Level = 'BASIC';
  const byClassification: Record<string, Level> = {};
  for (const part of text('REQUIRED_LEVEL')
    .split(',')
    .map((p) => p.trim())
    .filter(Boolean)) {
    const [name, level] = part.includes('=') ? (part.split('=') as [string, string]) : ['', part];
    const known = oneOf('REQUIRED_LEVEL', level, levels);
    if (name) byClassification[name] = known;
    else defaultLevel = known;
  }
  const databaseUrl = text('DATABASE_URL') || undefined;
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl))
    problems.push('DATABASE_URL must start with postgres://');
  const masterKey = text('ASSAY_MASTER_KEY') || undefined;
  if (masterKey && !/^[0-9a-f]{64}$/i.test(masterKey) && Buffer.from(masterKey, 'base64').length !== 32)
    problems.push('ASSAY_MASTER_KEY must be 32 bytes as hex or base64');
  const allowHttp = text('WEBHOOK_ALLOW_HTTP');
  if (allowHttp !== '') oneOf('WEBHOOK_ALLOW_HTTP', allowHttp, ['true', 'false']);
  const allowCidrs = text('WEBHOOK_ALLOW_CIDRS')
    .split(',')
    .map((p) => p.trim())
    .filter(Boolean);
  for (const range of allowCidrs)
    if (!/^[0-9a-f.:]+\/\d{1,3}$/i.test(range))
      problems.push(`WEBHOOK_ALLOW_CIDRS must hold ranges such as 10.20.0.0/16, not '${range}'`);
  const dnsServers = text('WEBHOOK_DNS')
    .split(',')
    .map((p) => p.trim())
    .filter(Boolean);
  for (const server of dnsServers)
    if (!/^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|[0-9a-f]*:[0-9a-f:]*|\[[0-9a-f:]+\](:\d{1,5})?)$/i.test(server))
      problems.push(`WEBHOOK_DNS must hold IP addresses such as 9.9.9.9 or 9.9.9.9:53, not '${server}'`);
  const cron = (name: SettingName): string | undefined => {
    const value = text(name);
    if (value !== 'off' && !/^([\d*/,-]+ +){4}[\d*/,-]+$/.test(value))
      problems.push(`${name} must be five fields of cron such as */15 * * * *, or off; not '${value}'`);
    return value === 'off' ? undefined : value;
  };
  const auditUrl = text('AUDIT_WEBHOOK_URL');
  const auditSecret = text('AUDIT_WEBHOOK_SECRET');
  if (auditUrl && !/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(auditSecret))
    problems.push('AUDIT_WEBHOOK_SECRET must be whsec_ and 24 bytes or more as base64, for AUDIT_WEBHOOK_URL is set');
  const collector = text('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (collector && !/^https?:$/.test(URL.parse(collector)?.protocol ?? ''))
    problems.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address');
  const settings: Settings = {
    port: whole('PORT', 0, 65535),
    host: text('HOST'),
    dataDir: text('DATA_DIR'),
    databaseUrl,
    masterKey,
    logLevel: oneOf('LOG_LEVEL', text('LOG_LEVEL'), ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    baseUrl: text('BASE_URL') || undefined,
    traceCollector: collector || undefined,
    pspNames: text('PSP_NAMES')
      .split(',')
      .map((p) => p.trim())
      .filter(Boolean),
    requiredLevel: { default: defaultLevel, byClassification },
    ratePerSecond: whole('RATE_PER_SECOND', 1, 10_000_000),
    rateBurst: whole('RATE_BURST', 1, 10_000_000),
    bodyLimit: whole('BODY_LIMIT', 1024, 64 << 20),
    basketBodyLimit: whole('BASKET_BODY_LIMIT', 1024, 64 << 20),
    batchLimit: whole('BATCH_LIMIT', 1, 4096),
    queueLimit: whole('QUEUE_LIMIT', 1, 1_000_000),
    queueAgeMs: whole('QUEUE_AGE_MS', 1, 60_000),
    databasePool: whole('DATABASE_POOL', 2, 200),
    webhookConcurrency: whole('WEBHOOK_CONCURRENCY', 0, 10_000),
    webhookLimit: whole('WEBHOOK_LIMIT', 1, 1000),
    webhookAllowHttp: allowHttp === '' ? databaseUrl === undefined : allowHttp === 'true',
    webhookAllowCidrs: allowCidrs,
    webhookDns: dnsServers,
    auditWebhook: auditUrl ? { url: auditUrl, secret: auditSecret } : undefined,
    cdrSftp: oneOf('CDR_SFTP', text('CDR_SFTP'), ['embedded', 'external', 'off']),
    sftpPort: whole('SFTP_PORT', 0, 65535),
    sftpHost: text('SFTP_HOST') || text('HOST'),
    cdrPickupCron: cron('CDR_PICKUP_CRON'),
    cdrFileLimit: whole('CDR_FILE_LIMIT', 1, Number.MAX_SAFE_INTEGER),
    cdrArchiveDays: whole('CDR_ARCHIVE_DAYS', 0, 36_500),
    retentionCron: cron('RETENTION_CRON'),
    retentionWebhookBodiesDays: whole('RETENTION_WEBHOOK_BODIES_DAYS', 0, 36_500),
    retentionRejectedLinesDays: whole('RETENTION_REJECTED_LINES_DAYS', 0, 36_500),
    cesopXsdDir: text('CESOP_XSD_DIR') || undefined,
  };
  if (problems.length > 0) throw new Error(`settings: ${problems.join('; ')}`);
  return settings;
}
