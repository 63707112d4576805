// How often a report is made: the fields, and the same in words.

import { Group, NumberInput, Select } from '@mantine/core';
import type { Content } from '../../data/assay.ts';
import { say } from '../../words/words.ts';

export type Schedule = Content<'listReportSchedules'>['items'][number];
export type Rhythm = Pick<Schedule, 'every' | 'onDay' | 'hour' | 'timeZone' | 'covers'>;

const weekdays = [
  say('Monday'),
  say('Tuesday'),
  say('Wednesday'),
  say('Thursday'),
  say('Friday'),
  say('Saturday'),
  say('Sunday'),
];

export const usualRhythm = (): Rhythm => ({
  every: 'MONTH',
  onDay: 1,
  hour: 6,
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  covers: 'FINISHED',
});

/** Every month on day 2 at 06:00, Africa/Lagos */
export function rhythmInWords({ every, onDay, hour, timeZone }: Rhythm): string {
  const at = say('at {hour}:00, {timeZone}', { hour: String(hour).padStart(2, '0'), timeZone });
  if (every === 'DAY' || onDay === null) return say('Every day {at}', { at });
  if (every === 'WEEK') return say('Every {weekdays} {at}', { weekdays: weekdays[onDay - 1], at });
  return say('Every month on day {onDay} {at}', { onDay, at });
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
            label={say('Day')}
            allowDeselect={false}
            data={weekdays.map((label, i) => ({ value: String(i + 1), label }))}
            value={String(value.onDay ?? 1)}
            onChange={(v) => set({ onDay: Number(v) })}
          />
        ) : null}
        {value.every === 'MONTH' ? (
          <NumberInput
            label={say('Day of the month')}
            description={say('In a shorter month its last day')}
            min={1}
            max={31}
            allowDecimal={false}
            required
            value={value.onDay ?? 1}
            onChange={(v) => set({ onDay: Number(v) || 1 })}
          />
        ) : null}
        <Select
          label={say('Hour')}
          allowDeselect={false}
          data={Array.from({ length: 24 }, (_, h) => ({
            value: String(h),
            label: `${String(h).padStart(2, '0')}:00`,
          }))}
          value={String(value.hour)}
          onChange={(v) => set({ hour: Number(v) })}
        />
      </Group>
      <Select
        label={say('Time zone')}
        searchable
        allowDeselect={false}
        data={[...new Set([value.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
        value={value.timeZone}
        onChange={(v) => set({ timeZone: v ?? value.timeZone })}
      />
      <Select
        label={say('Covers')}
        allowDeselect={false}
        data={[
          { value: 'FINISHED', label: say('What has ended by then') },
          { value: 'RUNNING', label: say('What is still running, provisional') },
        ]}
        value={value.covers}
        onChange={(v) => set({ covers: v === 'RUNNING' ? 'RUNNING' : 'FINISHED' })}
      />
    </>
  );
}
