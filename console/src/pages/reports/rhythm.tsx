// How often a report is made: the fields, and the same in words.
import { Group, NumberInput, Select } from '@mantine/core';
import type { Content } from '../../data/assay.ts';

export type Schedule = Content<'listReportSchedules'>['items'][number];
export type Rhythm = Pick<Schedule, 'every' | 'onDay' | 'hour' | 'timeZone' | 'covers'>;

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export const usualRhythm = (): Rhythm => ({
  every: 'MONTH',
  onDay: 1,
  hour: 6,
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  covers: 'FINISHED',
});

/** Every month on day 2 at 06:00, Africa/Lagos */
export function rhythmInWords({ every, onDay, hour, timeZone }: Rhythm): string {
  const at = `at ${String(hour).padStart(2, '0')}:00, ${timeZone}`;
  if (every === 'DAY' || onDay === null) return `Every day ${at}`;
  if (every === 'WEEK') return `Every ${weekdays[onDay - 1]} ${at}`;
  return `Every month on day ${onDay} ${at}`;
}

interface Props {
  readonly value: Rhythm;
  readonly onChange: (value: Rhythm) => void;
}

export function RhythmFields({ value, onChange }: Props) {
  const set = (change: Partial<Rhythm>) => onChange({ ...value, ...change });
  return (
    <>
      <Group grow align="start">
        {value.every === 'WEEK' ? (
          <Select
            label="Day"
            allowDeselect={false}
            data={weekdays.map((label, i) => ({ value: String(i + 1), label }))}
            value={String(value.onDay ?? 1)}
            onChange={(v) => set({ onDay: Number(v) })}
          />
        ) : null}
        {value.every === 'MONTH' ? (
          <NumberInput
            label="Day of the month"
            description="In a shorter month its last day"
            min={1}
            max={31}
            allowDecimal={false}
            required
            value={value.onDay ?? 1}
            onChange={(v) => set({ onDay: Number(v) || 1 })}
          />
        ) : null}
        <Select
          label="Hour"
          allowDeselect={false}
          data={Array.from({ length: 24 }, (_, h) => ({ value: String(h), label: `${String(h).padStart(2, '0')}:00` }))}
          value={String(value.hour)}
          onChange={(v) => set({ hour: Number(v) })}
        />
      </Group>
      <Select
        label="Time zone"
        searchable
        allowDeselect={false}
        data={[...new Set([value.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
        value={value.timeZone}
        onChange={(v) => set({ timeZone: v ?? value.timeZone })}
      />
      <Select
        label="Covers"
        allowDeselect={false}
        data={[
          { value: 'FINISHED', label: 'What has ended by then' },
          { value: 'RUNNING', label: 'What is still running, provisional' },
        ]}
        value={value.covers}
        onChange={(v) => set({ covers: v === 'RUNNING' ? 'RUNNING' : 'FINISHED' })}
      />
    </>
  );
}
