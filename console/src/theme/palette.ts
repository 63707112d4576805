// The console's colours: verdigris on paper, brass for attention, brick for refusals.
import type { MantineColorsTuple } from '@mantine/core';

/** Copper's own green: the brand, what can be pressed, what was approved. */
export const verdigris: MantineColorsTuple = [
  '#edf6f3',
  '#d8ebe5',
  '#aed6cb',
  '#80bfae',
  '#5bab97',
  '#3f9a84',
  '#27806b',
  '#1a6a58',
  '#135446',
  '#0c3f34',
];

/** Attention and waiting. */
export const brass: MantineColorsTuple = [
  '#fbf5e6',
  '#f5e8c8',
  '#ead190',
  '#deb957',
  '#cfa235',
  '#b98a22',
  '#966c14',
  '#7a560e',
  '#5f430a',
  '#463107',
];

/** Declines, failures, irreversible actions. */
export const brick: MantineColorsTuple = [
  '#fcf0ed',
  '#f6dcd5',
  '#ebb6a8',
  '#df8f7b',
  '#d37059',
  '#c4573f',
  '#aa432d',
  '#8c3523',
  '#6d2a1c',
  '#4f1f15',
];

/** Neutral facts, and the second line of a chart. */
export const slate: MantineColorsTuple = [
  '#eff3f8',
  '#dde5ef',
  '#b8c8dc',
  '#91a9c7',
  '#7190b5',
  '#567aa4',
  '#43658d',
  '#365272',
  '#2a4059',
  '#1e2f42',
];

/** Warm neutrals of the light scheme. */
export const paper: MantineColorsTuple = [
  '#f8f7f3',
  '#f1efe9',
  '#e7e4dc',
  '#dad6cc',
  '#c5c0b4',
  '#a09a8d',
  '#68645a',
  '#524e46',
  '#38352f',
  '#211f1b',
];

/** Green-black neutrals of the dark scheme. */
export const ink: MantineColorsTuple = [
  '#dde5e1',
  '#bfcac5',
  '#9aa8a2',
  '#6d7b75',
  '#43504b',
  '#313d38',
  '#232d29',
  '#161d1a',
  '#101613',
  '#0b0f0d',
];

/** Colours of chart lines and areas in order; their lightness also differs, so that hue is not needed. */
export const series = ['verdigris.6', 'brass.5', 'slate.5', 'brick.5', 'verdigris.5', 'slate.4'] as const;
