// Every setting of the service: its name, default and meaning.

export interface SettingRow {
  readonly name: string;
  readonly default: string;
  readonly meaning: string;
  /** Decides what callers are answered: processes on one database need the same value. */
  readonly alike?: true;
}

/** The table from which docs/reference/settings.md is generated. */
export const settingRows = [
  { name: 'PORT', default: '8080', meaning: 'Port of the HTTP entrance; 0 takes a free one.' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address the HTTP entrance listens on.' },
  {
    name: 'ROLE',
    default: '',
    meaning:
      'What this service does. Without a value it runs two kinds of processes: those that answer requests, and one with lower priority that works in the background (readers of the journal, webhook deliveries, call detail files, reports, jobs). all does both in one process, which takes less memory. For several machines: serve only answers, follow only works in the background and answers health checks and metrics on PORT.',
  },
  {
    name: 'WORKERS',
    default: '1',
    meaning:
      'Processes that answer requests; auto takes one per core, at most 8. Limits of a process are limits of each, DATABASE_POOL and RATE_PER_SECOND among them. 1 with ROLE=all or follow.',
  },
  { name: 'DATA_DIR', default: './data', meaning: 'Folder of the embedded database, keys and secrets.' },
  {
    name: 'DATABASE_URL',
    default: '',
    meaning:
      'A PostgreSQL 16+ server of your own instead of the embedded one, postgres://user:password@host:5432/assay. Its role must own the database, and may create roles or be a member of a role assay_app made beforehand. A primary and its standbys are named together, postgres://user:password@host1:5432,host2:5432/assay?target_session_attrs=read-write: connections go to the one that takes writes (primary: that is no standby; any: the first that answers).',
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
    alike: true,
    default: 'STRIPE,PAYSTACK',
    meaning: 'Allowed values of psp in addPSPSecret, separated by commas.',
  },
  {
    name: 'REQUIRED_LEVEL',
    alike: true,
    default: 'BASIC',
    meaning:
      'Verification level a client needs to be approved: UNVERIFIED, BASIC or ENHANCED; per classification as IGAMING_GLOBAL=ENHANCED, separated by commas.',
  },
  {
    name: 'REQUIRE_SECOND_FACTOR',
    alike: true,
    default: 'none',
    meaning:
      'Who needs a second factor to sign in: none, administrators or all. Who has none yet can sign in only to set one up.',
  },
  {
    name: 'SIGN_IN_PROVIDERS',
    alike: true,
    default: '',
    meaning:
      'Providers (OpenID Connect) through which people sign in, a JSON list of objects with name, label, issuer, clientId, clientSecret, accountId (whose people it lets in) and secondFactor: whether the second factor of the provider counts, never, amr (where its token says mfa) or always. Needs BASE_URL; the address to register is BASE_URL/console/sign-in/provider.',
  },
  {
    name: 'REQUIRE_TWO_PERSONS',
    alike: true,
    default: 'levels',
    meaning:
      'What one person may not do alone, separated by commas; none for nothing. levels: the verification level of a client is raised by a proposal that another person, signed in and independent of the first, approves, once what the level asks for is met; setStanding lowers it only. rates: tax rules and fees change by a proposal that another person, signed in and independent of the first, approves; loading, ending and correcting them directly is refused, on the command line too. cases: what a second person approves in a case is proposed and approved by two people who signed in and are independent. operator-keys: an operator, or a key of one, is made after another such person has approved it. authorities: so is an authority let in, or what it sees changed. erasure: so is the erasure of a person, for staff and PSPs.',
  },
  {
    name: 'CASE_DUE_DAYS',
    alike: true,
    default: 'HIGH=1,MEDIUM=5,LOW=15',
    meaning: 'Working days (Monday to Friday, UTC) within which a case is to be closed, by its severity.',
  },
  {
    name: 'CASE_SECOND_PERSON',
    alike: true,
    default: 'HIGH',
    meaning:
      'Severities of cases that are closed only when another person agrees, separated by commas; none for none. With cases in REQUIRE_TWO_PERSONS both must have signed in and be independent of each other.',
  },
  {
    name: 'UNKNOWN_TAX',
    alike: true,
    default: 'record',
    meaning:
      'What happens where a tax is or may be due whose rate nobody found. record: the record is made without that tax, with the observation TAX_RATE_UNKNOWN. refuse: transactions, baskets, wagers and payouts are refused with the code TAX_RATE_UNKNOWN; call detail records, which are taxed after they were taken in, are recorded in any case.',
  },
  {
    name: 'TRUSTED_PROXIES',
    default: '',
    meaning:
      "Addresses or ranges of your own proxies, separated by commas, such as 10.1.0.0/16. What they add to x-forwarded-for is taken as the caller's address; from others the header has no effect.",
  },
  {
    name: 'RATE_PER_SECOND',
    default: '2000',
    meaning:
      'Requests per second and key that refill its bucket. A body takes as much as a further request for each 4096 bytes.',
  },
  { name: 'RATE_BURST', default: '4000', meaning: 'Size of the bucket: requests a key may send at once.' },
  {
    name: 'MAX_CONNECTIONS',
    default: '8192',
    meaning:
      'Most HTTP connections at once; further ones are closed at once. Keep it some hundreds below the limit of open files.',
  },
  { name: 'BODY_LIMIT', default: '262144', meaning: 'Largest body in bytes; of signIn 4096.' },
  {
    name: 'BODY_BUDGET',
    default: '67108864',
    meaning:
      'Most bytes of bodies over 4096 bytes that may be on their way at once; past it 503 before the body is read. A key may have a quarter of them.',
  },
  { name: 'BASKET_BODY_LIMIT', default: '1048576', meaning: 'Largest body of submitBasket in bytes.' },
  { name: 'BATCH_LIMIT', default: '256', meaning: 'Most commands in one commit.' },
  {
    name: 'QUEUE_LIMIT',
    default: '12288',
    meaning:
      'Most commands waiting; past it 503. A burst may take a third of it, the rest is kept for keys within their share.',
  },
  {
    name: 'QUEUE_AGE_MS',
    default: '2000',
    meaning:
      'Longest wait of a command behind a commit that does not end, in milliseconds; past it 503, and past five times as long in any case. So long the database may stand still before somebody is refused.',
  },
  {
    name: 'STOP_DELAY_MS',
    default: '500',
    meaning:
      'After SIGTERM the service is not ready, serves on so long in milliseconds and ends each connection with its next answer; then it stops. Behind a load balancer longer than that takes to look twice.',
  },
  {
    name: 'STOP_LIMIT_MS',
    default: '10000',
    meaning:
      'Longest that the service takes to finish what it has begun after it stopped serving, in milliseconds; past it the process ends with exit code 1. Nothing acknowledged is lost by that.',
  },
  {
    name: 'WORKER_SILENCE_MS',
    default: '60000',
    meaning:
      'Milliseconds after which a process of this machine that hangs, and answers nothing to the one that started it, is ended and replaced. 0 for never, as where a debugger halts it.',
  },
  { name: 'DATABASE_POOL', default: '10', meaning: 'Most database connections of a process.' },
  {
    name: 'DATABASE_WAIT_MS',
    default: '5000',
    meaning:
      'Longest wait of a request for the database in milliseconds, for a connection and for the answer to each statement; past it 503. Reports, files and readers of the journal wait so long for a connection, and without limit for an answer.',
  },
  {
    name: 'WEBHOOK_CONCURRENCY',
    default: '256',
    meaning:
      'Most webhook deliveries a process has in hand, beside those to receivers that are silent for 2 s, of which there may be four times as many; 0 leaves delivering to other processes on the same database.',
  },
  { name: 'WEBHOOK_LIMIT', alike: true, default: '10', meaning: 'Most webhook addresses of a client.' },
  {
    name: 'WEBHOOK_ALLOW_HTTP',
    default: '',
    meaning:
      'true allows webhook addresses with http://, with any port and on this machine itself. Without a value: allowed with the embedded database while nobody else reaches the service (development): HOST, SFTP_HOST and BASE_URL name this machine alone, and TRUSTED_PROXIES is not set. Refused otherwise.',
  },
  {
    name: 'WEBHOOK_ALLOW_CIDRS',
    alike: true,
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
      'Days that call detail files are kept, sealed, after they were taken in; 0 keeps them for ever. Their records are not concerned.',
  },
  {
    name: 'LICENCE_CRON',
    default: '*/15 * * * *',
    meaning:
      'When clients are warned of licences that end: five fields of cron, UTC. The days of every country begin on a quarter of an hour. off leaves it to other processes on the same database. The hold of a licence that has ended begins by itself.',
  },
  {
    name: 'REPORT_SCHEDULE_CRON',
    default: '*/15 * * * *',
    meaning:
      'When scheduled reports that are due are requested: five fields of cron, UTC. The hours of every country begin on a quarter of an hour. off leaves it to other processes on the same database.',
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
    name: 'REQUEST_LOG_DAYS',
    default: '7',
    meaning:
      'Days that the log of requests is kept, which has what keys called and what came of it, without bodies; 0 logs none. It is removed at RETENTION_CRON.',
  },
  {
    name: 'REQUEST_LOG_PER_MINUTE',
    default: '240',
    meaning:
      'Requests of one PSP and minute that are logged one by one, over all processes, half of them for refused ones; one key gets at most half of either. Further ones are counted by key, address and status.',
  },
  {
    name: 'ARCHIVE_AFTER_MONTHS',
    default: '0',
    meaning:
      'Least age in months of a month that `assay archive make` may move from the tables to a file in DATA_DIR/archive: longer than chargebacks, disputes and corrections may come. 0 archives nothing. It never happens by itself.',
  },
  {
    name: 'SCREENING_CUSTOMER_DAYS',
    default: '30',
    meaning:
      'Days back from a change of a list within which customers paid who are compared with the entries that changed, 0 to 400. Their names are opened in memory for it. 0 screens customers with their payments only.',
  },
  {
    name: 'BACKUP_DIR',
    default: '',
    meaning:
      'Folder that scheduled backups are written to, one for each database and not within DATA_DIR; it must exist. Without it none are made. Set it on the one machine whose checkpoints/ and cdr/ the backups are to hold.',
  },
  {
    name: 'BACKUP_CRON',
    default: '23 1 * * *',
    meaning:
      'When a backup is made in BACKUP_DIR and checked: five fields of cron, UTC. off makes none, for example if another scheduler runs `assay backup`.',
  },
  {
    name: 'BACKUP_KEEP_DAILY',
    default: '7',
    meaning: 'Number of days of which the newest backup in BACKUP_DIR is kept. The newest of all is always kept.',
  },
  {
    name: 'BACKUP_KEEP_WEEKLY',
    default: '4',
    meaning: 'Number of weeks, from Monday, of which the newest backup in BACKUP_DIR is kept.',
  },
  {
    name: 'BACKUP_KEEP_MONTHLY',
    default: '12',
    meaning: 'Number of months of which the newest backup in BACKUP_DIR is kept.',
  },
  {
    name: 'BACKUP_MAX_AGE_HOURS',
    default: '26',
    meaning:
      'Age of the last good backup in BACKUP_DIR past which `assay_backup_overdue` is 1, the log says so every hour, and another is tried at once.',
  },
  {
    name: 'CESOP_XSD_DIR',
    default: '',
    meaning:
      'Folder with the XML schema of CESOP as the European Commission publishes it: the report cesop is validated against it. Without it the report says that it was not.',
  },
  {
    name: 'ASSAY_URL',
    default: '',
    meaning:
      'For the command line: address of a service elsewhere, https:// or on this machine. Without it commands find the service on this machine by DATA_DIR, and do without where none runs.',
  },
  {
    name: 'ASSAY_API_KEY',
    default: '',
    meaning: "For the command line: an operator's key, sent to ASSAY_URL and nowhere else.",
  },
] as const satisfies readonly SettingRow[];

export type SettingName = (typeof settingRows)[number]['name'];
