// The file of stand-in answers: a line counts once it is on the disk, and starting over loses none that came later.
import { describe, expect, it } from 'vitest';
import { LineFile, type StandinFile } from '../src/standin/file.ts';

/** A disk whose every step takes a turn, so that others come between. */
class Disk implements StandinFile {
  text = '';
  flushed = '';
  full = false;
  /** Whether it takes half of a line before it says that it is full, and can then not be cut off either. */
  half = false;
  async readFile() {
    return this.text;
  }
  async appendFile(text: string) {
    await Promise.resolve();
    if (this.half) this.text += text.slice(0, text.length / 2);
    if (this.full || this.half) throw new Error('no space');
    this.text += text;
  }
  async datasync() {
    await Promise.resolve();
    this.flushed = this.text;
  }
  async truncate(length: number) {
    await Promise.resolve();
    if (this.half) throw new Error('no space');
    this.text = Buffer.from(this.text).subarray(0, length).toString();
  }
}

describe('a file of lines', () => {
  it('has a line on the disk before it says so, in the order they came', async () => {
    const disk = new Disk();
    const file = new LineFile(disk);
    const seen = await Promise.all(
      [1, 2, 3].map((n) => file.append({ n }).then(() => disk.flushed.includes(`{"n":${n}}\n`))),
    );
    expect(seen).toEqual([true, true, true]);
    expect(await file.read()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('starts over in its turn, and only if it still may: lines that come meanwhile stay', async () => {
    const disk = new Disk();
    const file = new LineFile(disk);
    let needed = 0;
    const done = [
      file.append('old'),
      file.startOver(
        () => needed === 0,
        () => ['kept'],
      ),
      file.append('new'),
    ];
    await Promise.all(done);
    expect(await file.read()).toEqual(['kept', 'new']);
    needed = 1;
    await file.startOver(
      () => needed === 0,
      () => [],
    );
    expect(await file.read()).toEqual(['kept', 'new']);
  });

  it('says so when a line cannot be written, and leaves out what a crash cut off', async () => {
    const disk = new Disk();
    disk.full = true;
    await expect(new LineFile(disk).append('x')).rejects.toThrow('no space');
    disk.text = '"whole"\n"to';
    expect(await new LineFile(disk).read()).toEqual(['whole']);
    expect(disk.text).toBe('"whole"\n');
  });

  it('joins no line to what is left of one that was not written whole', async () => {
    const disk = new Disk();
    const file = new LineFile(disk);
    await file.append({ a: 'größer' });
    disk.half = true;
    await expect(file.append({ b: 'not told' })).rejects.toThrow('no space');
    disk.half = false;
    await file.append({ c: 3 });
    expect(await new LineFile(disk).read()).toEqual([{ a: 'größer' }, { c: 3 }]);
  });
});
