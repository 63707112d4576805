// The meaning of call_type and call_status. The specification names no values, so the terms that operators use are
// mapped to a few kinds; an unknown term is recorded as UNCLASSIFIED, with a warning.

const typeWords = {
  VOICE: [
    'CALL',
    'VOICE_CALL',
    'PHONE_CALL',
    'AUDIO',
    'TELEPHONY',
    'MOC',
    'MTC',
    'INCOMING',
    'OUTGOING',
    'INBOUND',
    'OUTBOUND',
    'LOCAL',
    'NATIONAL',
    'LONG_DISTANCE',
    'INTERNATIONAL',
    'ONNET',
    'ON_NET',
    'OFFNET',
    'OFF_NET',
  ],
  VIDEO: ['VIDEO_CALL'],
  VOIP: ['VOIP_CALL', 'VOLTE', 'VOWIFI', 'SIP'],
  SMS: ['TEXT', 'TEXT_MESSAGE', 'SMS_MO', 'SMS_MT', 'MO_SMS', 'MT_SMS', 'SMSMO', 'SMSMT'],
  MMS: ['MMS_MO', 'MMS_MT'],
  USSD: [],
  DATA: ['DATA_SESSION', 'INTERNET', 'GPRS', 'PACKET', 'PACKET_DATA'],
} as const;

const statusWords = {
  COMPLETED: [
    'COMPLETE',
    'ANSWERED',
    'CONNECTED',
    'SUCCESS',
    'SUCCESSFUL',
    'DELIVERED',
    'NORMAL',
    'NORMAL_CLEARING',
    'ENDED',
  ],
  NO_ANSWER: ['NOANSWER', 'UNANSWERED', 'NOT_ANSWERED', 'MISSED'],
  BUSY: ['USER_BUSY'],
  REJECTED: ['DECLINED', 'CALL_REJECTED'],
  CANCELLED: ['CANCELED', 'ABANDONED'],
  DROPPED: ['DISCONNECTED', 'INTERRUPTED'],
  VOICEMAIL: ['VOICE_MAIL'],
  FAILED: ['FAIL', 'FAILURE', 'ERROR', 'CONGESTION', 'UNREACHABLE', 'UNDELIVERED'],
} as const;

export type CallType = keyof typeof typeWords | 'UNCLASSIFIED';
export type CallStatus = keyof typeof statusWords | 'UNCLASSIFIED';

export const callTypes = [...(Object.keys(typeWords) as CallType[]), 'UNCLASSIFIED'] as readonly CallType[];

function vocabulary<K extends string>(words: Readonly<Record<K, readonly string[]>>): ReadonlyMap<string, K> {
  const known = new Map<string, K>();
  for (const [kind, others] of Object.entries(words) as [K, readonly string[]][])
    for (const w of [kind, ...others]) known.set(w, kind);
  return known;
}

const types = vocabulary(typeWords);
const statuses = vocabulary(statusWords);

/** The form in which a term is looked up: upper case, its parts joined by underscores. */
export const word = (text: string) => text.trim().toUpperCase().replace(/[ -]/g, '_');

export const readCallType = (text: string): CallType => types.get(text) ?? types.get(word(text)) ?? 'UNCLASSIFIED';
export const readCallStatus = (text: string): CallStatus =>
  statuses.get(text) ?? statuses.get(word(text)) ?? 'UNCLASSIFIED';

/** Every term for an answered call, including one that was dropped later and one answered by voicemail. */
export const answeredWords: readonly string[] = (['COMPLETED', 'DROPPED', 'VOICEMAIL'] as const).flatMap((kind) => [
  kind,
  ...statusWords[kind],
]);
