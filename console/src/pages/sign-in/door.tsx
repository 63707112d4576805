// The sign-in page's layout: the product on the left, a form on the right; stacked on narrow screens.

import { Button, Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { otherLanguages } from '../../layout/language-choice.ts';
import { Mark } from '../../layout/mark.tsx';
import { SchemeToggle } from '../../layout/scheme-toggle.tsx';
import { say } from '../../words/words.ts';
import classes from './door.module.css';

export function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  return (
    <div className={classes.door}>
      <header className={classes.side}>
        <div className={classes.brand}>
          <Mark size={34} />
          {say('Assay')}
        </div>
        <p className={classes.says}>{say('Every transaction tried, every tax shown by itself, and the proof kept.')}</p>
        <Split />
      </header>
      <main className={classes.main}>
        <Group justify="flex-end" gap="xs" className={classes.tools}>
          {otherLanguages.map((l) => (
            <Button key={l.tag} lang={l.tag} variant="subtle" color="gray" size="compact-sm" onClick={l.choose}>
              {l.name}
            </Button>
          ))}
          <SchemeToggle />
        </Group>
        <div className={classes.form}>
          <Title order={1} mb="lg">
            {title}
          </Title>
          {children}
        </div>
      </main>
    </div>
  );
}

/** A gross amount and its parts, drawn as bars. */
function Split() {
  const bars = [
    { x: 0, width: 320, fill: '#2f7d6a' },
    { x: 0, width: 268, fill: '#7fbfae' },
    { x: 268, width: 24, fill: '#d9b75c' },
    { x: 292, width: 18, fill: '#c98f4a' },
    { x: 310, width: 10, fill: '#b8c8dc' },
  ];
  return (
    <svg viewBox="0 0 320 96" className={classes.split} aria-hidden="true">
      {bars.map((b, i) => (
        <rect key={b.fill} x={b.x} y={i * 20} width={b.width} height={12} rx={2} fill={b.fill} />
      ))}
    </svg>
  );
}
