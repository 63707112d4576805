// The top of a page: breadcrumbs, its only h1, its actions. Also sets the browser tab's title.

import { Anchor, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { say } from '../words/words.ts';

export interface Crumb {
  readonly title: string;
  readonly to: string;
}

interface Props {
  readonly title: string;
  /** Pages above this one, outermost first. */
  readonly above?: readonly Crumb[];
  /** One sentence under the title. */
  readonly lead?: ReactNode;
  /** Beside the title, such as a StatusBadge. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
}

export function PageHeader({ title, above = [], lead, beside, actions }: Props) {
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  return (
    <Group justify="space-between" align="flex-end" gap="md" mb="lg">
      <Stack gap={4} style={{ minWidth: 0 }}>
        {above.length > 0 ? (
          <Breadcrumbs component="nav" aria-label={say('Pages above')} separatorMargin={6}>
            {above.map((a) => (
              <Anchor key={a.to} component={Link} to={a.to} size="sm">
                {a.title}
              </Anchor>
            ))}
          </Breadcrumbs>
        ) : null}
        <Group gap="sm">
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {beside}
        </Group>
        {lead ? (
          <Text c="dimmed" size="sm" maw="46rem" component="div">
            {lead}
          </Text>
        ) : null}
      </Stack>
      {actions ? <Group gap="xs">{actions}</Group> : null}
    </Group>
  );
}
