// Time. All code that needs the time receives a clock.

/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** Milliseconds of a clock that never jumps; only differences are meaningful. */
export const monotonicClock: Clock = () => performance.now();
