// Reads Han characters as pinyin without tones, family names as such. Loaded when the first such name is read: its
// dictionary takes some memory.
import { createRequire } from 'node:module';
import type { HanReader } from '../core/screening/script.ts';

type Pinyin = (text: string, options: object) => string;
let pinyin: Pinyin | undefined;

export const readHan: HanReader = (han) => {
  pinyin ??= createRequire(import.meta.url)('pinyin-pro').pinyin as Pinyin;
  return pinyin(han, { toneType: 'none', surname: 'head', v: true });
};
