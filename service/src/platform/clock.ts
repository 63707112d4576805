// Time. Everything that needs to know the time is given a clock.

/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
