// Thresholds for findings on call detail records, each with its reason. All of them are indicators: a person examines
// what exceeds them.

/** Seconds between starts. Networks write whole seconds, so a call written twice has starts at most one apart. */
export const nearDuplicateS = 1;

/** Seconds between starts on two networks. Each clock is within a second of UTC, which explains a difference of two. */
export const sameCallS = 2;

/** Seconds between durations. Each side rounds in its own way, which explains a difference of one. */
export const sameDurationS = 1;

/**
 * Outgoing calls of a number on one day. People make fewer than a dozen; a SIM in a SIM-box makes dozens to hundreds,
 * since it earns money by the minute.
 */
export const outsizedCallsADay = 40;

/** Numbers called per 100 calls. A person calls the same numbers again; a SIM-box carries the calls of strangers. */
export const manyReceiversPercent = 50;

/** Calls received per 100 calls made. Nobody knows the number of a SIM in a SIM-box. */
export const oneWayPercent = 5;

/** Numbers calling from one device. A phone holds two SIMs, and is sometimes sold or lent. */
export const sharedDeviceNumbers = 5;

/**
 * Seconds before a day from which calls are read to find those that overlap with calls of the day. Longer calls are
 * rare; overlaps with them may be missed.
 */
export const overlapReachS = 4 * 3600;

/** Packet loss in per cent above which speech is impaired (ITU-T G.113, with loss concealment). */
export const packetLossPercent = 1;

/** Milliseconds; more than common jitter buffers compensate. */
export const jitterMs = 30;

/** Milliseconds one way; ITU-T G.114 considers up to 150 good for conversation. */
export const latencyMs = 150;

/** A network named in at least this percentage of an account's records of a period is its own. */
export const ownNetworkPercent = 20;

/** Most days between the date in a file's name and its arrival for it to belong to that date. */
export const fileInTimeDays = 7;

/** Most lines in a section; its note gives the total count. */
export const mostLines = 1000;

/**
 * Calls of a number on a day that only other operators report. If there are this many, and the operator of its block
 * reports none of its calls, the number was ported to another network, and the calls are not missing.
 */
export const portedCalls = 3;

/** Numbers with one IMEI from which on it is no device: networks write the same IMEI for all unknown devices. */
export const dummyDeviceNumbers = 500;
