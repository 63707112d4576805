// From where on something in call detail records is told, with the reason for each figure. All of them are
// indicators: what lies beyond one is looked at by a person.

/** A network's clock ticks in seconds: one call written twice bears starts at most one apart. */
export const nearDuplicateS = 1;

/** Clocks of two networks differ; both are kept within a second of UTC, so that two are explained. */
export const sameCallS = 2;

/** Durations of both sides are rounded, each its own way: a second is explained. */
export const sameDurationS = 1;

/**
 * Outgoing calls of a number on one day. People make fewer than a dozen; a SIM in a SIM-box makes dozens to hundreds,
 * for it earns by the minute.
 */
export const outsizedCallsADay = 40;

/** Of calls to as many numbers a person repeats many; a SIM-box carries the calls of strangers. Share of 100. */
export const manyReceiversPercent = 50;

/** Calls received, of calls made: nobody knows the number of a SIM in a box. Share of 100. */
export const oneWayPercent = 5;

/** Numbers calling from one device. A phone holds two SIMs, and is sold or lent now and then. */
export const sharedDeviceNumbers = 5;

/**
 * Stretch before a day in which calls that reach into it may have begun, for the search of calls that overlap. Longer
 * calls are few and warned about one by one.
 */
export const overlapReachS = 4 * 3600;

/** Packet loss in per cent: speech is impaired above it (ITU-T G.113, with loss concealment). */
export const packetLossPercent = 1;

/** Milliseconds: more than common jitter buffers take up. */
export const jitterMs = 30;

/** Milliseconds one way: ITU-T G.114 holds up to 150 good for conversation. */
export const latencyMs = 150;

/** A network named in at least this share of an account's records of a period is its own. Share of 100. */
export const ownNetworkPercent = 20;

/** Days a file may come after the day its name bears, and still belong to it; as long as a record is in time. */
export const fileInTimeDays = 7;

/** Lines of a section; the note tells how many there are in all. */
export const mostLines = 1000;

/**
 * Calls of a number on a day that the operator of its block does not report, while it reports nothing of it at all: the
 * number was ported to another network, and nothing is missing.
 */
export const portedCalls = 3;

/** Numbers calling from one device on a day, from where on it is none: networks write one number for what they do not know. */
export const dummyDeviceNumbers = 500;
