// The limit of open files is read as Linux writes it.
import { describe, expect, it } from 'vitest';
import { tooFewFiles } from './open-files.ts';

const limits = (soft: string, hard: string) =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax processes             300                  300                  processes \nMax open files            ${soft.padEnd(20)} ${hard.padEnd(20)} files     \n`;

describe('the limit of open files', () => {
  it('is too low where it is less than some hundreds above MAX_CONNECTIONS', () => {
    expect(tooFewFiles(limits('300', '300'), 8192)).toEqual({ allowed: 300, needed: 8492 });
    expect(tooFewFiles(limits('8491', '1048576'), 8192)).toEqual({ allowed: 8491, needed: 8492 });
    expect(tooFewFiles(limits('8492', '8492'), 8192)).toBeUndefined();
    expect(tooFewFiles(limits('unlimited', 'unlimited'), 8192)).toBeUndefined();
    expect(tooFewFiles('', 8192)).toBeUndefined();
  });
});
