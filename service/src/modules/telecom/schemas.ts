// Wire forms of call detail records: types and lengths only. Ranges and relations between fields are checked by the
// rules of core/cdr, which also apply to lines of files.
import { textLimits as limit } from '../../core/cdr/record.ts';
import { Warnings } from '../../entries/cdrs.ts';
import { Exact, Named, Text, Type } from '../kernel/operation.ts';

export { CallTypeName, CdrResource } from '../../entries/cdrs.ts';

const Time = (description: string) =>
  Text(`${description} ISO 8601 UTC date-time, for example 2026-11-21T10:00:00Z.`, 40);
const number =
  "E.164, with or without + or 00, or a national number of the account's country (with a warning); stored in E.164. A short code is accepted with a warning.";

/** An optional text. An empty text counts as absent, like an empty cell in a file. */
const Optional = (description: string, maxLength: number) => Type.Optional(Type.String({ description, maxLength }));

const Location = (whose: string) =>
  Type.Object(
    {
      latitude: Exact({ description: 'Degrees, -90 to 90.' }),
      longitude: Exact({ description: 'Degrees, -180 to 180.' }),
    },
    {
      $id: 'PlaceInput',
      description: 'A place on earth, in degrees.',
      'x-about': `Location of the ${whose}. Stored sealed, under a key for the ${whose}.`,
    },
  );

// Spec 2.8. The rules of core/cdr decide which fields are required.
export const CdrBody = Named('RecordCDRRequest', 'A call detail record as the operator reports it.', {
  cdr_id: Text("The operator's own id of the record, which identifies a repetition.", limit.cdr_id),
  timestamp: Optional('When the record was made. ISO 8601 UTC date-time, for example 2026-11-21T10:00:00Z.', 40),
  caller_number: Text(
    `The calling number: ${number} An SMS may have a sender name instead. Of a number that was withheld, a word such as ANONYMOUS, RESTRICTED or PRIVATE; it is kept as ANONYMOUS, with a warning.`,
    limit.caller_number,
  ),
  receiver_number: Text(
    `The called number: ${number} A DATA session may have the name of its access point (APN) instead.`,
    limit.receiver_number,
  ),
  call_start_time: Time('Start of the call; at most 5 minutes in the future.'),
  call_end_time: Time('End of the call.'),
  call_duration_seconds: Type.Integer({
    description:
      'Duration in seconds. A value over a second shorter than end minus start, or longer by less than a minute, is read as the billed duration, with a warning.',
  }),
  call_type: Text(
    'VOICE, SMS, DATA or another common term; an unknown one is recorded as UNCLASSIFIED, with a warning.',
    limit.call_type,
  ),
  call_status: Optional(
    'COMPLETED, NO_ANSWER or another common term; an unknown one causes a warning.',
    limit.call_status,
  ),
  caller_location: Type.Optional(Location('caller')),
  receiver_location: Type.Optional(Location('receiver')),
  network_provider: Text('The network that carried the call.', limit.network_provider),
  imei_caller: Optional("The caller's device, 14 to 16 digits. Stored sealed.", limit.imei_caller),
  imei_receiver: Optional("The receiver's device, 14 to 16 digits. Stored sealed.", limit.imei_receiver),
  billing_information: Named('CallBillingInput', 'Cost of the call.', {
    call_cost: Exact({ description: 'Cost of the call, zero or more; stored exactly, with any number of decimals.' }),
    currency: Text('ISO 4217 alpha-3 code, any case.', limit.billing_information_currency),
    billing_plan: Optional('Name of the plan.', limit.billing_information_billing_plan),
    data_used_kb: Type.Optional(Exact({ description: 'Kilobytes, zero or more.' })),
  }),
  voip_details: Type.Optional(
    Named('CallQualityInput', 'Measurements of a call over IP.', {
      codec: Optional('Name of the codec.', limit.voip_details_codec),
      packet_loss_percentage: Type.Optional(Exact({ description: '0 to 100.' })),
      jitter_ms: Type.Optional(Exact({ description: 'Milliseconds, zero or more.' })),
      latency_ms: Type.Optional(Exact({ description: 'Milliseconds, zero or more.' })),
    }),
  ),
  recording_available: Type.Optional(Type.Boolean({ description: 'Whether a recording of the call is kept.' })),
});

export const CdrReceipt = Named('CallDetailRecordReceipt', 'The record that was kept.', {
  cdrId: Type.String(),
  status: Type.Enum(['RECORDED', 'DUPLICATE'], { description: 'RECORDED, or DUPLICATE if the record already exists.' }),
  warnings: Warnings,
});
