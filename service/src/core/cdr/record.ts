// The call detail record (Spec 2.8) as 25 columns: their names, how they nest in JSON, the received form that rules
// read, and the canonical form that is stored and compared. Contains no rules and no SQL.
import { type JsonObject, parseJson } from '../json.ts';
import { canonicalText, Numeral, wireNumber } from '../money.ts';
import { canonical } from '../request.ts';

/** Dotted JSON paths in the specification's order. */
const paths = [
  'cdr_id',
  'timestamp',
  'caller_number',
  'receiver_number',
  'call_start_time',
  'call_end_time',
  'call_duration_seconds',
  'call_type',
  'call_status',
  'caller_location.latitude',
  'caller_location.longitude',
  'receiver_location.latitude',
  'receiver_location.longitude',
  'network_provider',
  'imei_caller',
  'imei_receiver',
  'billing_information.call_cost',
  'billing_information.currency',
  'billing_information.billing_plan',
  'billing_information.data_used_kb',
  'voip_details.codec',
  'voip_details.packet_loss_percentage',
  'voip_details.jitter_ms',
  'voip_details.latency_ms',
  'recording_available',
] as const;

type Path = (typeof paths)[number];
type Joined<P extends string> = P extends `${infer Parent}.${infer Child}` ? `${Parent}_${Child}` : P;
/** A column's name: parent and child joined by an underscore. */
export type Column = Joined<Path>;

const joined = (path: Path) => path.replace('.', '_') as Column;

/** All columns in the specification's order. */
export const columns: readonly Column[] = paths.map(joined);
const pathByColumn = new Map<Column, Path>(paths.map((p) => [joined(p), p]));
const members = paths.map((p) => [joined(p), ...(p.split('.') as [string, string?])] as const);
const place = new Map<Column, number>(columns.map((c, i) => [c, i]));

/** The column's dotted path in the JSON form: `billing_information.call_cost`. */
export const pathOf = (column: Column): string => pathByColumn.get(column) as string;

/** Orders columns as the specification does. */
export const byColumn = (a: Column, b: Column): number => (place.get(a) as number) - (place.get(b) as number);

/** The columns that every record must have. */
export const requiredColumns: readonly Column[] = [
  'cdr_id',
  'caller_number',
  'receiver_number',
  'call_start_time',
  'call_end_time',
  'call_duration_seconds',
  'call_type',
  'network_provider',
  'billing_information_call_cost',
  'billing_information_currency',
];

/** Columns that reveal a person's location or device: stored sealed, never unencrypted. */
export const personalColumns: readonly Column[] = [
  'caller_location_latitude',
  'caller_location_longitude',
  'receiver_location_latitude',
  'receiver_location_longitude',
  'imei_caller',
  'imei_receiver',
];

/** Longest texts in characters. */
export const textLimits = {
  cdr_id: 200,
  caller_number: 40,
  receiver_number: 40,
  call_type: 60,
  call_status: 60,
  network_provider: 200,
  imei_caller: 32,
  imei_receiver: 32,
  billing_information_currency: 12,
  billing_information_billing_plan: 200,
  voip_details_codec: 100,
} as const satisfies Partial<Record<Column, number>>;

const none = Object.fromEntries(columns.map((c) => [c, undefined])) as { [C in Column]: undefined };

/** An object with all columns undefined. Measured: reading is several times faster if all members exist from the start. */
export const noColumns = <T>(): { [C in Column]?: T | undefined } => ({ ...none });

/** A record as it was received: the text of every column given. Absent and empty are the same. */
export type RawRecord = { readonly [C in Column]?: string | undefined };

/** A record in canonical form: texts, exact numbers, booleans. */
export type ColumnValues = { readonly [C in Column]?: string | Numeral | boolean | undefined };

/**
 * Headers as files name them: the column itself, its dotted path, or its leaf where only one column has it
 * (`call_cost`, but not `latitude`).
 */
const headers = new Map<string, Column>();
for (const path of paths) {
  const leaf = path.split('.').at(-1) as string;
  if (paths.filter((p) => p.split('.').at(-1) === leaf).length === 1) headers.set(leaf, joined(path));
}
for (const path of paths) headers.set(path, joined(path)).set(joined(path), joined(path));

/** The column that a header names, in upper or lower case; undefined if it names none. */
export const columnNamed = (header: string): Column | undefined => headers.get(header.trim().toLowerCase());

/** The members of the JSON form as text; numbers keep their digits. Unknown members are left out. */
export function fromNested(body: Readonly<Record<string, unknown>>): RawRecord {
  const raw: { -readonly [C in Column]?: string } = {};
  for (const [column, path] of pathByColumn) {
    let v: unknown = body;
    for (const key of path.split('.'))
      v =
        typeof v === 'object' && v !== null && Object.hasOwn(v, key) ? (v as Record<string, unknown>)[key] : undefined;
    if (v instanceof Numeral) raw[column] = v.text;
    else if (typeof v === 'string' || typeof v === 'number' || typeof v === 'boolean') raw[column] = String(v);
  }
  return raw;
}

/** The JSON form of canonical values, with numbers that read back to the same decimal. */
export function toNested(values: ColumnValues): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [column, parent, child] of members) {
    const v = values[column];
    if (v === undefined) continue;
    const shown = v instanceof Numeral ? wireNumber(v.text) : v;
    if (child === undefined) out[parent] = shown;
    else out[parent] = { ...(out[parent] as object | undefined), [child]: shown };
  }
  return out;
}

/** Only the given columns, or only the others. */
export function pick(values: ColumnValues, wanted: (c: Column) => boolean): ColumnValues {
  return Object.fromEntries(Object.entries(values).filter(([c, v]) => v !== undefined && wanted(c as Column)));
}

export const isPersonal = (c: Column): boolean => personalColumns.includes(c);

const plain = /^[ !#-[\]-~]*$/;
/** Texts of ASCII without quotes and backslashes are their own JSON. */
const written = (v: string | boolean) => (typeof v === 'string' && plain.test(v) ? `"${v}"` : canonical(v));

/** JSON text of canonical values in column order: equal records have equal text. */
export function writeValues(values: ColumnValues): string {
  const members: string[] = [];
  for (const c of columns) {
    const v = values[c];
    if (v !== undefined) members.push(`"${c}":${v instanceof Numeral ? canonicalText(v.text) : written(v)}`);
  }
  return `{${members.join()}}`;
}

/** Reads what writeValues wrote. */
export const readValues = (text: string): ColumnValues => parseJson(text) as JsonObject as ColumnValues;

/** The first column in which two records differ; undefined when they are equal. */
export function firstDifferentColumn(a: ColumnValues, b: ColumnValues): Column | undefined {
  const text = (v: ColumnValues[Column]) => (v === undefined ? undefined : canonical(v));
  return columns.find((c) => text(a[c]) !== text(b[c]));
}
