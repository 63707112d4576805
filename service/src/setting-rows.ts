// Every setting of the service: its name, default and meaning.

export interface SettingRow {
  readonly name: SettingName;
  readonly default: string;
  readonly meaning: string;
  /** Decides what callers are answered: processes on one database need the same value. */
  readonly alike: boolean;
}

/** By name: default and meaning. */
const settings = {
  PORT: ['8080', 'Port of the HTTP API; 0 takes a free one.'],
  HOST: ['127.0.0.1', 'Address the HTTP API listens on.'],
  ROLE: [
    '',
    'What this service does. Without a value it runs two kinds of processes: those that answer requests, and one with lower priority that works in the background (readers of the journal, webhook deliveries, call detail files, reports, jobs). all does both in one process, which takes less memory. For several machines: serve only answers, follow only works in the background and answers health checks and metrics on PORT.',
  ],
  WORKERS: [
    '1',
    'Processes that answer requests; auto takes one per core, at most 8. Limits of a process are limits of each, DATABASE_POOL and RATE_PER_SECOND among them. 1 with ROLE=all or follow.',
  ],
  DATA_DIR: ['./data', 'Folder of the embedded database, keys and secrets.'],
  DATABASE_URL: [
    '',
    'A PostgreSQL 16+ server of your own instead of the embedded one, postgres://user:password@host:5432/assay. Its role must own the database, and may create roles or be a member of a role assay_app made beforehand. A primary and its standbys are named together, postgres://user:password@host1:5432,host2:5432/assay?target_session_attrs=read-write: connections go to the one that takes writes (primary: that is no standby; any: the first that answers).',
  ],
  ASSAY_MASTER_KEY: [
    '',
    '32 bytes as hex or base64 that seal secrets and personal data. Without it a file under DATA_DIR is made at the first start.',
  ],
  LOG_LEVEL: ['info', 'debug, info, warn, error or silent. At debug every request is logged, else only failed ones.'],
  BASE_URL: ['', 'Public address of the service, shown in the OpenAPI description and at start.'],
  PSP_NAMES: ['STRIPE,PAYSTACK', 'Allowed values of psp in addPSPSecret, separated by commas.', 'alike'],
  REQUIRED_LEVEL: [
    'BASIC',
    'Verification level a client needs to be approved: UNVERIFIED, BASIC or ENHANCED; per classification as IGAMING_GLOBAL=ENHANCED, separated by commas.',
    'alike',
  ],
  REQUIRE_SECOND_FACTOR: [
    'none',
    'Who needs a second factor to sign in: none, administrators or all. Who has none yet can sign in only to set one up.',
    'alike',
  ],
  SIGN_IN_PROVIDERS: [
    '',
    'Providers (OpenID Connect) through which people sign in, a JSON list of objects with name, label, issuer, clientId, clientSecret, accountId (whose people it lets in) and secondFactor: whether the second factor of the provider counts, never, amr (where its token says mfa) or always. Needs BASE_URL; the address to register is BASE_URL/console/sign-in/provider.',
    'alike',
  ],
  REQUIRE_TWO_PERSONS: [
    'levels',
    'What one person may not do alone, separated by commas; none for nothing. levels: the verification level of a client is raised by a proposal that another person, signed in and independent of the first, approves, once what the level asks for is met; setStanding lowers it only. rates: tax rules and fees change by a proposal that another person, signed in and independent of the first, approves; loading, ending and correcting them directly is refused, on the command line too. cases: what a second person approves in a case is proposed and approved by two people who signed in and are independent; a hold from a case or by a rule ends from there alone. operator-keys: an operator, or a key of one, is made after another such person has approved it. authorities: so is an authority let in, or what it sees changed. erasure: so is the erasure of a person, for staff and PSPs.',
    'alike',
  ],
  CASE_DUE_DAYS: [
    'HIGH=1,MEDIUM=5,LOW=15',
    'Working days (Monday to Friday, UTC) within which a case is to be closed, by its severity.',
    'alike',
  ],
  CASE_SECOND_PERSON: [
    'HIGH',
    'Severities of cases that are closed only when another person agrees, separated by commas; none for none. With cases in REQUIRE_TWO_PERSONS both must have signed in and be independent of each other.',
    'alike',
  ],
  UNKNOWN_TAX: [
    'record',
    'What happens where a tax is or may be due whose rate nobody found. record: the record is made without that tax, with the observation TAX_RATE_UNKNOWN. refuse: transactions, baskets, wagers and payouts are refused with the code TAX_RATE_UNKNOWN; call detail records, which are taxed after they were taken in, are recorded in any case.',
    'alike',
  ],
  TRUSTED_PROXIES: [
    '',
    "Addresses or ranges of your own proxies, separated by commas, such as 10.1.0.0/16. What they add to x-forwarded-for is taken as the caller's address; from others the header has no effect.",
  ],
  RATE_PER_SECOND: [
    '2000',
    'Requests per second and key that refill its bucket. A body takes as much as a further request for each 4096 bytes.',
  ],
  RATE_BURST: ['4000', 'Size of the bucket: requests a key may send at once.'],
  MAX_CONNECTIONS: [
    '8192',
    'Most HTTP connections at once; further ones are closed at once. Keep it some hundreds below the limit of open files; a start says where it is not.',
  ],
  BODY_LIMIT: ['262144', 'Largest body in bytes; of signIn 4096.'],
  BODY_BUDGET: [
    '67108864',
    'Most bytes of bodies over 4096 bytes that may be on their way at once; past it 503 before the body is read. A key may have a quarter of them.',
  ],
  BASKET_BODY_LIMIT: ['1048576', 'Largest body of submitBasket in bytes.'],
  BATCH_LIMIT: ['256', 'Most commands in one commit.'],
  QUEUE_LIMIT: [
    '12288',
    'Most commands waiting; past it 503. A burst may take a third of it, the rest is kept for keys within their share.',
  ],
  QUEUE_AGE_MS: [
    '2000',
    'Longest wait of a command behind a commit that does not end, in milliseconds; past it 503, and past five times as long in any case. So long the database may stand still before somebody is refused.',
  ],
  STOP_DELAY_MS: [
    '500',
    'After SIGTERM the service is not ready, serves on so long in milliseconds and ends each connection with its next answer; then it stops. Behind a load balancer longer than that takes to look twice.',
  ],
  STOP_LIMIT_MS: [
    '10000',
    'Longest that the service takes to finish what it has begun after it stopped serving, in milliseconds; past it the process ends with exit code 1. Nothing acknowledged is lost by that.',
  ],
  WORKER_SILENCE_MS: [
    '60000',
    'Milliseconds after which a process of this machine that hangs, and answers nothing to the one that started it, is ended and replaced. 0 for never, as where a debugger halts it.',
  ],
  DATABASE_POOL: ['10', 'Most database connections of a process.'],
  DATABASE_WAIT_MS: [
    '5000',
    'Longest wait of a request for the database in milliseconds, for a connection and for the answer to each statement; past it 503. Reports, files and readers of the journal wait so long for a connection, and without limit for an answer.',
  ],
  WEBHOOK_CONCURRENCY: [
    '256',
    'Most webhook deliveries a process has in hand, beside those to receivers that are silent for 2 s, of which there may be four times as many; 0 leaves delivering to other processes on the same database.',
  ],
  WEBHOOK_LIMIT: ['10', 'Most webhook addresses of a client.', 'alike'],
  WEBHOOK_ALLOW_HTTP: [
    '',
    'true allows webhook addresses with http://, with any port and on this machine itself. Without a value: allowed with the embedded database while nobody else reaches the service (development): HOST, SFTP_HOST and BASE_URL name this machine alone, and TRUSTED_PROXIES is not set. Refused otherwise.',
  ],
  WEBHOOK_ALLOW_CIDRS: [
    '',
    'Address ranges of your own network that webhooks may be sent to, such as 10.20.0.0/16,fd00::/8; without it public addresses only.',
    'alike',
  ],
  WEBHOOK_DNS: [
    '',
    'DNS servers to ask for the names of webhook addresses, such as 9.9.9.9,[2620:fe::fe]:53; those of the machine without it.',
  ],
  AUDIT_WEBHOOK_URL: [
    '',
    'Address of an auditor that the newest signed checkpoint of each PSP is posted to, at most one a minute; the rules for webhook addresses hold for it. None without it.',
  ],
  AUDIT_WEBHOOK_SECRET: [
    '',
    'Signs what is posted to AUDIT_WEBHOOK_URL as webhooks are: whsec_ and 24 bytes or more as base64.',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    '',
    'Address of a collector that traces are sent to (OTLP over HTTP, /v1/traces below it). None without it.',
  ],
  CDR_SFTP: [
    'embedded',
    'embedded starts the file drop for call detail records with the service; external leaves serving its folders under DATA_DIR to another SFTP server; off has none.',
  ],
  SFTP_PORT: ['2222', 'Port of the file drop; 0 takes a free one.'],
  SFTP_HOST: ['', 'Address the file drop listens on; that of HOST without it.'],
  CDR_PICKUP_CRON: [
    '*/15 * * * *',
    'When finished call detail files are picked up: five fields of cron, UTC. off leaves it to other processes on the same database and disk, and to the command.',
  ],
  CDR_FILE_LIMIT: ['2147483648', 'Largest call detail file in bytes.'],
  CDR_ARCHIVE_DAYS: [
    '400',
    'Days that call detail files are kept, sealed, after they were taken in; 0 keeps them for ever. Their records are not concerned.',
  ],
  LICENCE_CRON: [
    '*/15 * * * *',
    'When clients are warned of licences and documents that end: five fields of cron, UTC. The days of every country begin on a quarter of an hour. off leaves it to other processes on the same database. The hold of a licence that has ended begins by itself.',
  ],
  REPORT_SCHEDULE_CRON: [
    '*/15 * * * *',
    'When scheduled reports that are due are requested: five fields of cron, UTC. The hours of every country begin on a quarter of an hour. off leaves it to other processes on the same database.',
  ],
  RETENTION_CRON: [
    '37 3 * * *',
    'When what is past its time is removed: five fields of cron, UTC. off leaves it to other processes on the same database.',
  ],
  RETENTION_WEBHOOK_BODIES_DAYS: [
    '90',
    'Days that announcements are kept with their attempts and the answers to them, after all their deliveries have ended; 0 keeps them for ever. The journal keeps what happened.',
  ],
  RETENTION_REJECTED_LINES_DAYS: [
    '400',
    'Days that rejected lines of call detail files are kept as they came, unless they are corrected or written off before; 0 keeps them for ever. What was wrong with them stays.',
  ],
  REQUEST_LOG_DAYS: [
    '7',
    'Days that the log of requests is kept, which has what keys called and what came of it, without bodies; 0 logs none. It is removed at RETENTION_CRON.',
  ],
  REQUEST_LOG_PER_MINUTE: [
    '240',
    'Requests of one PSP and minute that are logged one by one, over all processes, half of them for refused ones; one key gets at most half of either. Further ones are counted by key, address and status.',
  ],
  ARCHIVE_AFTER_MONTHS: [
    '0',
    'Least age in months of a month that `assay archive make` may move from the tables to a file in DATA_DIR/archive: longer than chargebacks, disputes and corrections may come. 0 archives nothing. It never happens by itself.',
  ],
  SCREENING_CUSTOMER_DAYS: [
    '30',
    'Days back from a change of a list within which customers paid who are compared with the entries that changed, 0 to 400. Their names are opened in memory for it. 0 screens customers with their payments only.',
  ],
  BACKUP_DIR: [
    '',
    'Folder that scheduled backups are written to, one for each database and not within DATA_DIR; it must exist. Without it none are made. Set it on the one machine whose checkpoints/ and cdr/ the backups are to hold.',
  ],
  BACKUP_CRON: [
    '23 1 * * *',
    'When a backup is made in BACKUP_DIR and checked: five fields of cron, UTC. off makes none, for example if another scheduler runs `assay backup`.',
  ],
  BACKUP_KEEP_DAILY: [
    '7',
    'Number of days of which the newest backup in BACKUP_DIR is kept. The newest of all is always kept.',
  ],
  BACKUP_KEEP_WEEKLY: ['4', 'Number of weeks, from Monday, of which the newest backup in BACKUP_DIR is kept.'],
  BACKUP_KEEP_MONTHLY: ['12', 'Number of months of which the newest backup in BACKUP_DIR is kept.'],
  BACKUP_MAX_AGE_HOURS: [
    '26',
    'Age of the last good backup in BACKUP_DIR past which `assay_backup_overdue` is 1, the log says so every hour, and another is tried at once.',
  ],
  CESOP_XSD_DIR: [
    '',
    'Folder with the XML schema of CESOP as the European Commission publishes it: the report cesop is validated against it. Without it the report says that it was not.',
  ],
  ASSAY_URL: [
    '',
    'For the command line: address of a service elsewhere, https:// or on this machine. Without it commands find the service on this machine by DATA_DIR, and do without where none runs.',
  ],
  ASSAY_API_KEY: ['', "For the command line: an operator's key, sent to ASSAY_URL and nowhere else."],
} as const satisfies Readonly<Record<string, readonly [usual: string, meaning: string, alike?: 'alike']>>;

export type SettingName = keyof typeof settings;

/** The table from which docs/reference/settings.md is generated. */
export const settingRows: readonly SettingRow[] = Object.entries(settings).map(([name, [usual, meaning, alike]]) => ({
  name: name as SettingName,
  default: usual,
  meaning,
  alike: alike === 'alike',
}));
