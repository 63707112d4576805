// Sums parts of records by cell, exactly. A cell that ever held something stays even if its figures are zero: the set
// of cells then depends only on the journal, not on how it was read.
import { decimal, formatUnits, pow10 } from '../money.ts';
import type { Part, Place } from './figures.ts';

export interface Cell {
  readonly part: Part['part'];
  readonly place: Place;
  readonly rule: string;
  count: number;
  /** In units of `scales`, in the order of the part's figures. */
  readonly units: bigint[];
  readonly scales: number[];
}

export class Tally {
  readonly #places = new Map<string, Cell[]>();

  /** @param sign 1 adds the parts, -1 removes them, 0 only creates their cells */
  add(parts: readonly Part[], sign: 1 | -1 | 0): void {
    for (const p of parts) {
      const cell = this.#cell(p);
      if (sign === 0) continue;
      cell.count += sign;
      for (let i = 0; i < p.figures.length; i++) addTo(cell, i, p.figures[i] as string, sign);
    }
  }

  #cell({ part, place, rule, figures }: Part): Cell {
    const key = `${place.day}|${place.country}|${place.account}|${place.currency}|${place.kind}|${place.verdict}|${place.productLine}`;
    let cells = this.#places.get(key);
    if (!cells) this.#places.set(key, (cells = []));
    let cell = cells.find((c) => c.part === part && c.rule === rule);
    if (!cell) {
      cell = { part, place, rule, count: 0, units: figures.map(() => 0n), scales: figures.map(() => 0) };
      cells.push(cell);
    }
    return cell;
  }

  places(): Iterable<readonly Cell[]> {
    return this.#places.values();
  }

  cells(part: Part['part']): Cell[] {
    return [...this.#places.values()].flat().filter((c) => c.part === part);
  }

  get size(): number {
    return [...this.#places.values()].flat().length;
  }
}

function addTo(cell: Cell, i: number, text: string, sign: 1 | -1): void {
  if (text === '0') return;
  const d = decimal(text);
  const scale = cell.scales[i] as number;
  let units = d.units;
  if (d.scale < scale) units *= pow10(scale - d.scale);
  else if (d.scale > scale) {
    cell.units[i] = (cell.units[i] as bigint) * pow10(d.scale - scale);
    cell.scales[i] = d.scale;
  }
  cell.units[i] = (cell.units[i] as bigint) + (sign === 1 ? units : -units);
}

/** A figure of a cell as decimal text. */
export const figure = (cell: Cell, i: number): string => formatUnits(cell.units[i] as bigint, cell.scales[i] as number);
