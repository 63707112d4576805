// The chance of a demo world's parts.
import { type Chance, chanceOf } from '../src/core/chance.ts';

export type { Chance };

export const chance = (seed: number, ...names: readonly string[]): Chance =>
  chanceOf([0x2545f491, 0x6c078965, seed | 0, 1], names.join('/'));
