// The head of a return: its form, authority, taxpayer and period, with its sources as links.

import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/panel.tsx';
import { countryName } from '../../data/countries.ts';
import { say } from '../../words/words.ts';
import type { Section } from '../reports/shown.ts';
import { confidenceWords } from './shown.ts';

type Row = Section['rows'][number];

interface Props {
  readonly section: Section;
  /** The section as it is stored, in English: what each field is. */
  readonly stored: Section;
}

export function HeadFacts({ section, stored }: Props) {
  const facts = section.rows.map((r, i) => {
    const [field, value] = [String(r.field), String(r.value ?? '')];
    const again = section.rows.slice(0, i).filter((x) => x.field === field).length;
    return [again === 0 ? field : `${field} ${again + 1}`, shown(stored.rows[i] as Row, value)] as const;
  });
  return (
    <Panel title={say('Form')}>
      <Facts items={facts} />
      {section.note ? (
        <Text size="sm" c="dimmed" mt="sm">
          {section.note}
        </Text>
      ) : null}
    </Panel>
  );
}

function shown({ field, value: code }: Row, value: string): ReactNode {
  if (field === 'Country') return countryName(String(code));
  if (field === 'Confidence') return confidenceWords[String(code)] ?? value;
  const [, before, address] = /^(.*?),? ?(https?:\/\/\S+)$/.exec(value) ?? [];
  if (address === undefined) return value;
  return (
    <Anchor href={address} target="_blank" rel="noreferrer" inherit>
      {before || address}
    </Anchor>
  );
}
