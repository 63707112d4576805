// Every metric of the service by its name, in the order in which they are shown: its kind, its meaning, its labels. The
// reference page of metrics is made of it.

import { reportKinds } from '../../modules/reports/index.ts';

export interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels?: readonly string[];
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
  /** Labels of series that are shown from the start on, at 0: Prometheus sees no rise in a series that begins with it. */
  readonly awaited?: readonly Readonly<Record<string, string>>[];
  /** Every process reads the same of the database or the machine, so that of several workers one is shown, not their sum. */
  readonly shared?: 'database' | 'machine';
  /** Of several processes the largest is shown: in their sum or mean one that is full would be hidden by the others. */
  readonly fullest?: true;
}

const table = <const T extends Readonly<Record<string, MetricRow>>>(rows: T): T => rows;

/** A commit and the wait for one. */
const commitSeconds = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1];

export const metricRows = table({
  assay_http_request_seconds: {
    kind: 'histogram',
    help: 'Requests by route, method and status. Of the route `door` are those refused before they were read, of `forced` those that a test key made fail or wait.',
    labels: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10],
  },
  assay_request_log_dropped_total: {
    kind: 'counter',
    help: 'Requests that are missing in the log of requests, because too many waited to be written or were of too many kinds.',
  },
  assay_auth_failures_total: { kind: 'counter', help: 'Requests with a key that is not valid.' },
  assay_batch_commands: {
    kind: 'histogram',
    help: 'Commands in one commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  },
  assay_commit_seconds: {
    kind: 'histogram',
    help: 'Time of one commit, also of one whose outcome is unknown because the database failed or did not answer.',
    buckets: [...commitSeconds, 0.5, 2, 5, 10],
  },
  assay_queue_seconds: {
    kind: 'histogram',
    help: 'Wait of the oldest command of a batch.',
    buckets: [...commitSeconds, 0.25, 0.5, 1, 2, 5, 10],
  },
  assay_processes: { kind: 'gauge', help: 'Processes these figures are of.' },
  assay_followers: {
    kind: 'gauge',
    help: 'Processes on this database that work in the background; without one nothing is delivered, reported or totalled.',
    shared: 'database',
  },
  assay_build_info: {
    kind: 'gauge',
    help: 'The version that runs, in its label.',
    labels: ['version'],
    shared: 'database',
  },
  assay_queue_commands: { kind: 'gauge', help: 'Commands waiting for a batch.' },
  assay_cdr_file_lines_total: {
    kind: 'counter',
    help: 'Lines of call detail files that were recorded, kept out or known as duplicates.',
  },
  assay_cdr_analysed_records_total: { kind: 'counter', help: 'Call detail records that were classed and taxed.' },
  assay_cdr_files: { kind: 'gauge', help: 'Call detail files by state.', labels: ['state'], shared: 'database' },
  assay_cdr_files_bytes_left: {
    kind: 'gauge',
    help: 'Bytes still to be read of the call detail files that were picked up.',
    shared: 'database',
  },
  assay_cdr_files_eta_seconds: {
    kind: 'gauge',
    help: 'Seconds until they are done, as fast as since the first was picked up; 0 with none, NaN before a beginning.',
    shared: 'database',
  },
  assay_cdr_files_progress_ratio: {
    kind: 'gauge',
    help: 'Share of their bytes that is done, from 0 to 1; 1 with none.',
    shared: 'database',
  },
  assay_report_seconds: {
    kind: 'histogram',
    help: 'Time from the beginning of a report to its end, by kind and outcome.',
    labels: ['kind', 'state'],
    awaited: reportKinds.map(({ name }) => ({ kind: name, state: 'FAILED' })),
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1800],
  },
  assay_reports: { kind: 'gauge', help: 'Reports by state.', labels: ['state'], shared: 'database' },
  assay_webhook_attempts_total: {
    kind: 'counter',
    help: 'Attempts to deliver a webhook by what came of them.',
    labels: ['reason'],
  },
  assay_webhook_attempt_seconds: {
    kind: 'histogram',
    help: 'Time of one attempt.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  },
  assay_webhook_first_attempt_seconds: {
    kind: 'histogram',
    help: 'From the decision that is announced to the beginning of its first attempt.',
    buckets: [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5, 30, 300],
  },
  assay_webhook_backlog: {
    kind: 'gauge',
    help: 'Webhook deliveries that are due and not in flight.',
    shared: 'database',
  },
  assay_webhook_breakers_open: {
    kind: 'gauge',
    help: 'Webhook addresses at which nothing is sent for now, because they keep failing.',
  },
  assay_auditor_attempts_total: {
    kind: 'counter',
    help: 'Attempts to send a checkpoint to the auditor by what came of them.',
    labels: ['reason'],
  },
  assay_auditor_troubled: {
    kind: 'gauge',
    help: 'Journals, of PSPs and of the operator, whose checkpoint the auditor does not take at present.',
  },
  assay_journal_reader_lag: {
    kind: 'gauge',
    help: 'Journal entries a reader has not read yet.',
    labels: ['reader'],
    shared: 'database',
  },
  assay_journal_reader_behind_seconds: {
    kind: 'gauge',
    help: 'Age of the oldest journal entry that a reader has not read yet; 0 if it has read all.',
    labels: ['reader'],
    shared: 'database',
  },
  assay_journal_reader_troubled: {
    kind: 'gauge',
    help: 'PSPs in whose journal a reader is stuck because of an error.',
    labels: ['reader'],
  },
  assay_journal_reader_set_aside: {
    kind: 'gauge',
    help: 'Journal entries that a reader could not read and has gone on without.',
    labels: ['reader'],
    shared: 'database',
  },
  assay_sftp_sign_ins_total: {
    kind: 'counter',
    help: 'Sign-ins to the file drop by outcome: signed_in, failed, or error where the database could not be asked.',
    labels: ['outcome'],
    awaited: [{ outcome: 'failed' }],
  },
  assay_sftp_refused_connections_total: {
    kind: 'counter',
    help: 'Connections to the file drop that were not let in: too many, or too many failed sign-ins.',
  },
  assay_sftp_uploads_total: {
    kind: 'counter',
    help: 'Uploads by outcome: finished, or abandoned where the connection, the disk or a quota ended them.',
    labels: ['outcome'],
  },
  assay_sftp_received_bytes_total: { kind: 'counter', help: 'Bytes of uploads that were written.' },
  assay_sftp_connections: { kind: 'gauge', help: 'Open connections to the file drop.' },
  assay_backups_total: {
    kind: 'counter',
    help: 'Backups of the schedule by outcome: made (and checked), or failed.',
    labels: ['outcome'],
    awaited: [{ outcome: 'made' }, { outcome: 'failed' }],
  },
  assay_backup_age_seconds: {
    kind: 'gauge',
    help: 'Seconds since the last good backup in BACKUP_DIR was started; +Inf with none, NaN if the folder cannot be read.',
    shared: 'database',
  },
  assay_backup_bytes: { kind: 'gauge', help: 'Size of the last good backup in BACKUP_DIR.', shared: 'database' },
  assay_backup_overdue: {
    kind: 'gauge',
    help: '1 if the last good backup is older than BACKUP_MAX_AGE_HOURS or cannot be found, else 0.',
    shared: 'database',
  },
  assay_disk_free_bytes: { kind: 'gauge', help: 'Bytes that are free on the disk of DATA_DIR.', shared: 'machine' },
  assay_disk_bytes: { kind: 'gauge', help: 'Bytes of the disk of DATA_DIR.', shared: 'machine' },
  assay_requests_in_hand: {
    kind: 'gauge',
    help: 'Requests in flight: their operation runs. One whose body is still being received, or whose file is still being sent, is not counted.',
  },
  assay_requests_limit: { kind: 'gauge', help: 'Number of requests in flight at which more are refused.' },
  assay_requests_share: {
    kind: 'gauge',
    help: 'Requests in flight to their limit; from 1 on more are refused.',
    fullest: true,
  },
  assay_request_body_bytes: {
    kind: 'gauge',
    help: 'Bytes of large bodies that are being read or wait to be parsed, by their declared length.',
  },
  assay_refusals_held: {
    kind: 'gauge',
    help: 'Requests held at the door: until there is room, or they are refused; and those that wait for nothing and are refused late, as past the rate of their key.',
  },
});

type MetricName = keyof typeof metricRows;
export type Named<K extends MetricRow['kind']> = {
  [N in MetricName]: (typeof metricRows)[N]['kind'] extends K ? N : never;
}[MetricName];
