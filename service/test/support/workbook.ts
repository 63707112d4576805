// Reads workbooks (XLSX) as a spreadsheet does: the zip archive by its directory, the sheets as XML. Written for the tests
// and sharing nothing with what writes them.
import { inflateRawSync } from 'node:zlib';
import { XmlDocument, type XmlElement } from 'libxml2-wasm';

export interface ReadCell {
  readonly value: string | number;
  /** Format of a number, as it is displayed. */
  readonly format: string;
  readonly isFormula: boolean;
}

export interface ReadSheet {
  readonly name: string;
  /** By row and column; undefined for an empty cell. */
  readonly rows: readonly (readonly (ReadCell | undefined)[])[];
  /** Rows that stay in view. */
  readonly frozenRows: number;
  /** Widths of the columns, in characters. */
  readonly widths: readonly number[];
}

/** The files of a zip archive. */
export function unzipped(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = bytes.readUInt16LE(end + 10); i > 0; i--) {
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((o) => bytes.readUInt16LE(at + o)) as [
      number,
      number,
      number,
    ];
    const head = bytes.readUInt32LE(at + 42);
    const from = head + 30 + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28);
    const content = bytes.subarray(from, from + packed);
    files.set(bytes.toString('utf8', at + 46, at + 46 + nameLength), method === 0 ? content : inflateRawSync(content));
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

const ns = {
  m: 'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  p: 'http://schemas.openxmlformats.org/package/2006/relationships',
};

function elements(xml: Buffer, path: string): XmlElement[] {
  const document = XmlDocument.fromBuffer(xml);
  return document.find(path, ns) as XmlElement[];
}
const attribute = (e: XmlElement, name: string, prefix?: string): string => e.attr(name, prefix)?.value ?? '';
const textIn = (e: XmlElement): string => (e.find('.//m:t', ns) as XmlElement[]).map((t) => t.content).join('');

/** Formats that have no entry of their own in the file. */
const usual: Readonly<Record<string, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  14: 'date',
};

const columnOf = (cell: string): number =>
  [...cell.replace(/\d+/, '')].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1;

export function readWorkbook(bytes: Buffer): ReadSheet[] {
  const files = unzipped(bytes);
  const file = (name: string): Buffer => {
    const found = files.get(name);
    if (!found) throw new Error(`the workbook has no ${name}: ${[...files.keys()].join(', ')}`);
    return found;
  };
  const strings = files.has('xl/sharedStrings.xml')
    ? elements(file('xl/sharedStrings.xml'), '/m:sst/m:si').map(textIn)
    : [];
  const formats = new Map(
    elements(file('xl/styles.xml'), '//m:numFmts/m:numFmt').map((f) => [
      attribute(f, 'numFmtId'),
      attribute(f, 'formatCode'),
    ]),
  );
  const styles = elements(file('xl/styles.xml'), '//m:cellXfs/m:xf').map((xf) => {
    const id = attribute(xf, 'numFmtId');
    return formats.get(id) ?? usual[id] ?? id;
  });
  const targets = new Map(
    elements(file('xl/_rels/workbook.xml.rels'), '/p:Relationships/p:Relationship').map((r) => [
      attribute(r, 'Id'),
      attribute(r, 'Target'),
    ]),
  );
  return elements(file('xl/workbook.xml'), '/m:workbook/m:sheets/m:sheet').map((s): ReadSheet => {
    const xml = file(`xl/${targets.get(attribute(s, 'id', 'r'))?.replace(/^\/?xl\//, '')}`);
    const rows = elements(xml, '//m:sheetData/m:row').map((row) => {
      const cells: (ReadCell | undefined)[] = [];
      for (const c of row.find('m:c', ns) as XmlElement[]) {
        const type = attribute(c, 't');
        const raw = (c.find('m:v', ns)[0] as XmlElement | undefined)?.content;
        const value = type === 's' ? strings[Number(raw)] : type === 'inlineStr' ? textIn(c) : raw;
        if (value === undefined) continue;
        cells[columnOf(attribute(c, 'r'))] = {
          value: type === '' || type === 'n' ? Number(value) : value,
          format: styles[Number(attribute(c, 's') || '0')] ?? 'General',
          isFormula: c.find('m:f', ns).length > 0,
        };
      }
      return cells;
    });
    const pane = elements(xml, '//m:sheetViews/m:sheetView/m:pane[@state="frozen"]')[0];
    return {
      name: attribute(s, 'name'),
      rows,
      frozenRows: pane ? Number(attribute(pane, 'ySplit')) : 0,
      widths: elements(xml, '//m:cols/m:col').map((c) => Number(attribute(c, 'width'))),
    };
  });
}
