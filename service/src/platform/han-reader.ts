// Reads Han characters as pinyin without tones, family names as such. Loaded when the first such name is read: its
// dictionary takes some memory.
import { createRequire } from 'node:module';
import { onFirstUse } from '../core/first-use.ts';
import type { HanReader } from '../core/screening/script.ts';

type Pinyin = (text: string, options: object) => string;
const pinyin = onFirstUse(() => createRequire(import.meta.url)('pinyin-pro').pinyin as Pinyin);

export const readHan: HanReader = (han) => pinyin()(han, { toneType: 'none', surname: 'head', v: true });
