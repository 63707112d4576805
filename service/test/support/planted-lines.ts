// Call detail files of any length with invalid lines of every kind at known places: every fiftieth line is invalid,
// each kind in turn. The same arguments give the same file.
import { type Column, columns } from '../../src/core/cdr/record.ts';

type Values = Readonly<Partial<Record<Column, string>>>;

interface Kind {
  readonly code: string;
  /** Absent if the error is about the whole line. */
  readonly column?: Column;
  /** Values that replace valid ones. */
  readonly values?: Values;
  /** Returns the line that replaces the valid one. */
  readonly spoil?: (line: string) => string | Buffer;
}

const bad = (code: string, column: Column, value: string, others: Values = {}): Kind => ({
  code,
  column,
  values: { [column]: value, ...others },
});

export const kinds: readonly Kind[] = [
  bad('REQUIRED', 'caller_number', ''),
  bad('TEXT_INVALID', 'network_provider', '  '),
  bad('TEXT_TOO_LONG', 'voip_details_codec', 'x'.repeat(101)),
  bad('NUMBER_EXPECTED', 'billing_information_call_cost', 'ten'),
  bad('INTEGER_EXPECTED', 'call_duration_seconds', '119.5'),
  bad('BOOLEAN_EXPECTED', 'recording_available', 'perhaps'),
  bad('TIME_INVALID', 'timestamp', '2026-02-30T10:00:00Z'),
  bad('END_BEFORE_START', 'call_end_time', '2020-01-01T00:00:00Z'),
  bad('DURATION_MISMATCH', 'call_duration_seconds', '99999'),
  bad('START_IN_FUTURE', 'call_start_time', '2099-01-01T00:00:00Z', {
    call_end_time: '2099-01-01T00:02:00Z',
    call_duration_seconds: '120',
  }),
  bad('PARTY_INVALID', 'receiver_number', '12345678901234567'),
  bad('COORDINATE_RANGE', 'caller_location_latitude', '91', { caller_location_longitude: '3' }),
  bad('COORDINATE_HALF', 'caller_location_longitude', '', { caller_location_latitude: '6.5' }),
  bad('IMEI_INVALID', 'imei_caller', '12345'),
  bad('CURRENCY_UNKNOWN', 'billing_information_currency', 'XXQ'),
  bad('NEGATIVE', 'billing_information_call_cost', '-1'),
  bad('PERCENTAGE_RANGE', 'voip_details_packet_loss_percentage', '101'),
  // The id of the first line, with other content.
  bad('CDR_ID_CONFLICT', 'cdr_id', 'CDR-1'),
  { code: 'FIELD_COUNT', spoil: (line) => `${line},one more` },
  { code: 'QUOTE_OPEN', spoil: (line) => line.replace('VOICE', '"VOICE') },
  { code: 'QUOTE_MISPLACED', spoil: (line) => line.replace('VOICE', 'VO"ICE') },
  { code: 'NOT_UTF8', spoil: (line) => Buffer.concat([Buffer.from(line), Buffer.from([0xff, 0xfe])]) },
  { code: 'LINE_TOO_LONG', spoil: (line) => `${line}${'x'.repeat(70_000)}` },
];

/** The kind of error in the n-th data line, from 1; undefined for a valid line. */
export const plantedIn = (n: number): Kind | undefined =>
  n % 50 === 0 ? kinds[(n / 50 - 1) % kinds.length] : undefined;

export interface PlantOptions {
  readonly rows: number;
  /** Milliseconds since the epoch; the calls are of the day before. */
  readonly now: number;
  readonly bad: boolean;
  /** Whether records have devices and locations. */
  readonly personal: boolean;
}

const iso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;
const msisdn = (k: number) => `+23480${10_000_000 + ((k * 7919) % 20_000)}`;

function soundValues(n: number, { now, personal }: PlantOptions): Values {
  const start = now - 90_000_000 - (n % 80_000) * 1000;
  const seconds = 5 + (n % 600);
  return {
    cdr_id: `CDR-${n}`,
    timestamp: iso(start + seconds * 1000),
    caller_number: msisdn(n),
    receiver_number: msisdn(n + 1),
    call_start_time: iso(start),
    call_end_time: iso(start + seconds * 1000),
    call_duration_seconds: String(seconds),
    call_type: 'VOICE',
    call_status: 'COMPLETED',
    network_provider: 'MTN Nigeria',
    billing_information_call_cost: (seconds * 0.2).toFixed(2),
    billing_information_currency: 'NGN',
    billing_information_billing_plan: 'PREPAID',
    recording_available: 'false',
    ...(personal
      ? {
          caller_location_latitude: `6.${5000 + (n % 900)}`,
          caller_location_longitude: `3.${3000 + (n % 900)}`,
          imei_caller: `3569380356${String(n % 10_000).padStart(4, '0')}`,
        }
      : {}),
  };
}

/** The file's bytes, header first. */
export function* plantedFile(o: PlantOptions): Generator<Buffer> {
  let parts: Buffer[] = [];
  let text = `${columns.join()}\n`;
  for (let n = 1; n <= o.rows; n++) {
    const kind = o.bad ? plantedIn(n) : undefined;
    const values = { ...soundValues(n, o), ...kind?.values };
    const line = columns.map((c) => values[c] ?? '').join();
    const spoilt = kind?.spoil?.(line) ?? line;
    if (typeof spoilt === 'string') text += `${spoilt}\n`;
    else {
      parts.push(Buffer.from(text), spoilt);
      text = '\n';
    }
    if (text.length > 1 << 18) {
      yield Buffer.concat([...parts, Buffer.from(text)]);
      parts = [];
      text = '';
    }
  }
  yield Buffer.concat([...parts, Buffer.from(text)]);
}

export interface RejectedLine {
  readonly line: number;
  readonly byteOffset: number;
  readonly findings: readonly { line: number; column?: string; code: string; severity: string; message: string }[];
}

/** The first few differences between planted and rejected lines; none if each is reported as it should be. */
export function disagreements(rows: number, rejected: readonly RejectedLine[]): string[] {
  const told = new Map(rejected.map((r) => [r.line, r]));
  const wrong = told.size === rejected.length ? [] : ['a line is told of twice'];
  for (let n = 1; n <= rows && wrong.length < 10; n++) {
    const kind = plantedIn(n);
    const r = told.get(n + 1);
    if (kind === undefined) {
      if (r) wrong.push(`line ${n + 1} is sound`);
      continue;
    }
    const errors = r?.findings.filter((f) => f.severity === 'error') ?? [];
    const [first] = errors;
    if (errors.length !== 1 || first?.code !== kind.code || first.column !== kind.column || first.line !== n + 1)
      wrong.push(`line ${n + 1} has ${kind.code} in ${kind.column}; told is ${JSON.stringify(errors)}`);
    else if (first.message.length < 15 || !(r && r.byteOffset > 0)) wrong.push(`line ${n + 1} says too little`);
  }
  return wrong;
}
