// Writes the sheets of a report as a workbook (XLSX).
import writeExcelFile from 'write-excel-file/node';
import type { Sheet, SheetCell } from '../../core/reports/sheets.ts';

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const cell = (c: SheetCell | null) => {
  if (c === null) return null;
  if (c.type === 'text') return { value: c.value, type: String, wrap: c.value.includes('\n') };
  if (c.type === 'number') return { value: c.value, type: Number, format: c.format };
  return { value: new Date(c.ms), type: Date, format: c.format };
};

const headCell = ({ title, isFigure }: Sheet['columns'][number]) => ({
  value: title,
  type: String,
  fontWeight: 'bold' as const,
  align: isFigure ? ('right' as const) : ('left' as const),
});

export function workbookOf(sheets: readonly Sheet[]): Promise<Buffer> {
  return writeExcelFile(
    sheets.map((s) => ({
      data: [s.columns.map(headCell), ...s.rows.map((row) => row.map(cell))],
      sheet: s.name,
      columns: s.columns.map(({ width }) => ({ width })),
      stickyRowsCount: 1,
    })),
  ).toBuffer();
}
