// Filters for call detail records by id, start of the call, caller, device and network. The lines of a report link to
// the records behind them with these filters.
import { Type } from 'typebox';
import { fromWire, type PspId } from '../../../core/ids.ts';
import { refuse, said } from '../../../core/refusal.ts';
import type { SubjectKeys } from '../../kernel/subjects.ts';

/** Most ids in one request. */
const mostIds = 100;

export const callQuery = {
  ids: Type.Optional(
    Type.String({
      description: `Only these records: \`cdr_…\`, separated by commas; at most ${mostIds}.`,
      maxLength: 4000,
    }),
  ),
  callFrom: Type.Optional(Type.String({ format: 'date-time', description: 'The call began at or after.' })),
  callTo: Type.Optional(Type.String({ format: 'date-time', description: 'The call began before.' })),
  caller: Type.Optional(
    Type.String({
      description: 'The calling number as records show it, or its keyed hash as reports do.',
      maxLength: 40,
    }),
  ),
  device: Type.Optional(
    Type.String({ description: 'The keyed hash of an IMEI of either side, as reports show it.', maxLength: 64 }),
  ),
  networkProvider: Type.Optional(
    Type.String({ description: 'The network, exactly as records name it.', maxLength: 200 }),
  ),
};

export interface CallFilter {
  readonly ids?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The caller must be one of these. */
  readonly callers?: readonly string[] | undefined;
  readonly device?: string | undefined;
  readonly network?: string | undefined;
}

interface CallQuery {
  readonly ids?: string | undefined;
  readonly callFrom?: string | undefined;
  readonly callTo?: string | undefined;
  readonly caller?: string | undefined;
  readonly device?: string | undefined;
  readonly networkProvider?: string | undefined;
}

/** Reads the filters of a request. Malformed ids are dropped, so they match no record. */
export const readCallFilter = (s: Pick<SubjectKeys, 'identify'>, psp: PspId, q: CallQuery): CallFilter => ({
  ids: q.ids === undefined ? undefined : readIds(q.ids),
  from: q.callFrom,
  to: q.callTo,
  // Rows of earlier versions store the number itself, and short codes are stored unhashed in all rows.
  callers: q.caller === undefined ? undefined : [q.caller, s.identify(psp, q.caller).subject],
  device: q.device,
  network: q.networkProvider,
});

function readIds(text: string): readonly string[] {
  const ids = text.split(',');
  if (ids.length > mostIds)
    throw refuse(
      'QUERY_INVALID',
      said`the query parameter 'ids' names ${ids.length} records, of which ${mostIds} at most may be asked for at a time`,
    );
  return ids.map((id) => fromWire('cdr', id.trim())).filter((id) => id !== undefined);
}

/**
 * Conditions on `cdrs`, with parameters from `$first` on. A record's id is made at most some minutes before its call
 * starts, so a start also limits the ids.
 */
export const callsSql = (first: number): string => {
  const [ids, from, to, network, caller, device] = [0, 1, 2, 3, 4, 5].map((i) => `$${first + i}`);
  return `
       AND (${ids}::uuid[] IS NULL OR id = ANY (${ids}))
       AND (${from}::timestamptz IS NULL
         OR (call_start >= ${from} AND id >= (SELECT uuid_floor(${from}::timestamptz - interval '10 minutes'))))
       AND (${to}::timestamptz IS NULL OR call_start < ${to})
       AND (${network}::text IS NULL OR network_provider = ${network})
       AND (${caller}::text[] IS NULL OR caller_number = ANY (${caller}))
       AND (${device}::text IS NULL OR caller_device = ${device} OR receiver_device = ${device})`;
};

export const callsValues = (f: CallFilter = {}): unknown[] => [
  f.ids ?? null,
  f.from ?? null,
  f.to ?? null,
  f.network ?? null,
  f.callers ?? null,
  f.device ?? null,
];
