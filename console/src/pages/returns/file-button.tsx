// Records that a return was filed with its authority, which locks its period; the dialog says so before.

import { List, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../components/form-dialog.tsx';
import type { Content } from '../../data/assay.ts';
import { day } from '../../data/now.ts';
import { useDo } from '../../data/use-do.ts';
import { rich } from '../../words/rich.ts';
import { say } from '../../words/words.ts';
import type { Document } from '../reports/shown.ts';
import { leftOut, ofReturn } from './shown.ts';

interface Props {
  readonly report: Content<'getReport'>;
  readonly document: Document;
}

/** A title within a sentence: "Tax to pay" begins small there, "VAT due" does not. */
const midSentence = (title: string) => title.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase());

export function FileButton({ report, document }: Props) {
  const [reference, setReference] = useState('');
  const [filedOn, setFiledOn] = useState(day());
  const file = useDo('fileReturn', { done: say('Recorded as filed') });
  const { form, period } = ofReturn(report.parameters);
  const fact = (name: string) => document.facts.find((f) => f.name === name);
  const { sentences } = leftOut(document.facts, false);
  const [payable, taxpayer] = [fact('payable'), fact('account')];
  return (
    <FormDialog
      label={say('Record as filed')}
      title={say('Record {form} for {period} as filed', { form, period })}
      button={{ disabled: report.provisional !== false }}
      incomplete={reference.trim() === ''}
      onSubmit={() => file.mutateAsync({ reportId: report.reportId, reference: reference.trim(), filedOn })}
    >
      <Text size="sm">
        {rich('Nothing is sent to the authority: file the return there first. {value}{title}.', {
          value: taxpayer?.value,
          title: payable
            ? `, ${say('{title}: {value}', { title: midSentence(payable.title), value: payable.value })}`
            : '',
        })}
      </Text>
      {sentences.map((words) => (
        <Text key={words} size="sm" fw={600}>
          {words}
        </Text>
      ))}
      <div>
        <Text size="sm" fw={600}>
          {say('Filing locks the period')}
        </Text>
        <List size="sm" spacing={4}>
          <List.Item>
            {say('The boxes and lines are kept as they are now, with the document’s hash, in the journal.')}
          </List.Item>
          <List.Item>
            {say('A second return of this form for the same days is refused. This cannot be undone.')}
          </List.Item>
          <List.Item>
            {say(
              'Sales that are declined or corrected later are corrected in the next return. A chargeback counts on its own day, except in the one-stop shop, where it corrects its quarter.',
            )}
          </List.Item>
        </List>
      </div>
      <TextInput
        label={say('Reference')}
        description={say("The authority's number of the return.")}
        required
        maxLength={200}
        value={reference}
        onChange={(e) => setReference(e.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={say('Filed on')}
        type="date"
        required
        value={filedOn}
        onChange={(e) => setFiledOn(e.currentTarget.value)}
      />
    </FormDialog>
  );
}
