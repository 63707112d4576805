// Fields that name a player. What is typed is personal data: it is kept out of the address and the browser's history.

import { SimpleGrid, TextInput } from '@mantine/core';
import { say } from '../../words/words.ts';

export interface Named {
  readonly email: string;
  readonly phone: string;
  readonly document: string;
}

export const nobody: Named = { email: '', phone: '', document: '' };

const fields = [
  { name: 'email', label: say('E-mail'), placeholder: 'kip@example.com' },
  { name: 'phone', label: say('Telephone number'), placeholder: '+254 700 000 001' },
  { name: 'document', label: say('Document'), placeholder: 'NL:123456782' },
] as const;

/** The values as the service takes them; those left empty are left out. */
export const subjectsOf = (named: Named): string[] =>
  fields.flatMap(({ name }) => (named[name].trim() === '' ? [] : [`${name}:${named[name].trim()}`]));

interface Props {
  readonly value: Named;
  readonly onChange: (named: Named) => void;
}

export function PlayerFields({ value, onChange }: Props) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm" style={{ flex: '1 1 20rem' }}>
      {fields.map(({ name, label, placeholder }) => (
        <TextInput
          key={name}
          label={label}
          placeholder={placeholder}
          autoComplete="off"
          maxLength={200}
          value={value[name]}
          onChange={(e) => onChange({ ...value, [name]: e.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  );
}
