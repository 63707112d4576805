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
    'ROAMING',
    'ROAMING_CALL',
    'ROAMING_VOICE',
    'VOICE_ROAMING',
    'PREMIUM',
    'PREMIUM_RATE',
    'PREMIUM_CALL',
    'TOLL_FREE',
    'FREEPHONE',
    'EMERGENCY',
    'EMERGENCY_CALL',
  ],
  VIDEO: ['VIDEO_CALL'],
  VOIP: ['VOIP_CALL', 'VOLTE', 'VOWIFI', 'SIP'],
  SMS: [
    'TEXT',
    'TEXT_MESSAGE',
    'SMS_MO',
    'SMS_MT',
    'MO_SMS',
    'MT_SMS',
    'SMSMO',
    'SMSMT',
    'ROAMING_SMS',
    'SMS_ROAMING',
    'PREMIUM_SMS',
  ],
  MMS: ['MMS_MO', 'MMS_MT'],
  USSD: [],
  DATA: ['DATA_SESSION', 'INTERNET', 'GPRS', 'PACKET', 'PACKET_DATA', 'MOBILE_DATA', 'ROAMING_DATA', 'DATA_ROAMING'],
} as const;

const statusWords = {
  COMPLETED: [
    'COMPLETE',
    'ANSWERED',
    'CONNECTED',
    'SUCCESS',
    'SUCCESSFUL',
    'DELIVERED',
    'DELIVRD',
    'ANSWER',
    'NORMAL',
    'NORMAL_CLEARING',
    'ENDED',
  ],
  NO_ANSWER: ['NOANSWER', 'UNANSWERED', 'NOT_ANSWERED', 'MISSED'],
  BUSY: ['USER_BUSY'],
  REJECTED: ['DECLINED', 'CALL_REJECTED', 'REJECTD'],
  CANCELLED: ['CANCELED', 'CANCEL', 'ABANDONED'],
  DROPPED: ['DISCONNECTED', 'INTERRUPTED'],
  VOICEMAIL: ['VOICE_MAIL'],
  FAILED: [
    'FAIL',
    'FAILURE',
    'ERROR',
    'CONGESTION',
    'CHANUNAVAIL',
    'UNREACHABLE',
    'UNDELIVERED',
    'UNDELIVERABLE',
    'UNDELIV',
    'EXPIRED',
    'DELETED',
  ],
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

/** Every term for a call, message or session of a subscriber who is abroad. */
export const roamingWords: ReadonlySet<string> = new Set(
  Object.values(typeWords)
    .flat()
    .filter((w) => w.includes('ROAMING')),
);
const statuses = vocabulary(statusWords);

/** The form in which a term is looked up: upper case, its parts joined by underscores. */
export const word = (text: string) => text.trim().toUpperCase().replace(/[ -]/g, '_');

export const readCallType = (text: string): CallType => types.get(text) ?? types.get(word(text)) ?? 'UNCLASSIFIED';
export const readCallStatus = (text: string): CallStatus =>
  statuses.get(text) ?? statuses.get(word(text)) ?? 'UNCLASSIFIED';

const wordsOf = (kinds: readonly (keyof typeof statusWords)[]) => kinds.flatMap((k) => [k, ...statusWords[k]]);

/** Every term for a call that was put through, answered by voicemail too. */
export const answeredWords: readonly string[] = wordsOf(['COMPLETED', 'VOICEMAIL']);
/** Every term for a call that was not put through. */
export const unansweredWords: readonly string[] = wordsOf(['NO_ANSWER', 'BUSY', 'REJECTED', 'CANCELLED', 'FAILED']);
/**
 * Every term for a call that reached the called side and was not taken there: the network did its part, and the call counts as
 * effective (ITU-T E.425). One that the caller gave up does not say how far it came.
 */
export const notTakenWords: readonly string[] = wordsOf(['NO_ANSWER', 'BUSY', 'REJECTED']);

const answered = new Set(answeredWords);
const unanswered = new Set(unansweredWords);

/**
 * Whether a call was put through (ITU-T E.425), as its status says. Where the status is missing or unknown, or says
 * only that the call broke off, those were that lasted. `traffic.ts` asks the same in SQL.
 * @param status as sent
 */
export function isAnswered(status: string | null, durationS: number): boolean {
  const says = status === null ? '' : word(status);
  return answered.has(says) || (!unanswered.has(says) && durationS > 0);
}

/** Whether a message or session failed, as its status says; one without a status did not. @param status as sent */
export const hasFailed = (status: string | null): boolean => status !== null && unanswered.has(word(status));
