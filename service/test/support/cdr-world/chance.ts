// The chance of worlds that tests make up.
import { type Chance, chanceOf } from '../../../src/core/chance.ts';

export type { Chance };

export const chance = (seed: number): Chance => chanceOf([0x9e3779b9, 0x243f6a88, 0xb7e15162, seed | 0]);
