// Time. Everything that needs to know the time is given a clock.

/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Milliseconds of a clock that never jumps; only differences mean something. */
export const monotonicClock: Clock = () => performance.now();
