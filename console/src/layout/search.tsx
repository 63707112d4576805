// The search dialog, used by keyboard or pointer. The text may be personal data, so it stays in this dialog and in the body
// of a call, and never enters an address.

import { Badge, Loader, Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Money } from '../components/money.tsx';
import { Stamp } from '../components/stamp.tsx';
import { StatusBadge } from '../components/status-badge.tsx';
import { told } from '../data/errors.ts';
import { usePsps } from '../data/psps.ts';
import { useIsOpen, useSearchState } from '../data/search-state.tsx';
import { say } from '../words/words.ts';
import { AmountsWithin } from './amounts-within.tsx';
import classes from './search.module.css';
import { type Found, useFound, type Within } from './search-hits.ts';

export function Search() {
  const { show } = useSearchState();
  const opened = useIsOpen('search');
  return (
    <Modal.Root
      opened={opened}
      onClose={() => show(undefined)}
      size="lg"
      yOffset="8vh"
      closeOnClickOutside
      // What was typed goes with the dialog.
      keepMounted={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={say('Search everything')}>
        <Modal.Body p={0}>
          <Dialog close={() => show(undefined)} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Dialog({ close }: { readonly close: () => void }) {
  const [typed, setTyped] = useState('');
  const [paused] = useDebouncedValue(typed.trim(), 200);
  /** Enter was pressed: what is opened is what was found for the whole text, not for its beginning. */
  const [entered, setEntered] = useState(false);
  const asked = entered ? typed.trim() : paused;
  const [within, setWithin] = useState<Within>({});
  const { groups, amounts, error, loading } = useFound(typed.trim(), asked, within);
  const found = groups.flatMap((g) => g.items);
  const [at, setAt] = useState(0);
  const active = Math.min(at, found.length - 1);
  const navigate = useNavigate();
  const id = useId();
  const optionId = (n: number) => `${id}-${n}`;
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);

  function go(f: Found | undefined) {
    if (!f) return;
    close();
    const [pathname = '/', query] = f.to.split('?');
    void navigate({ to: pathname, search: Object.fromEntries(new URLSearchParams(query)) as never });
  }
  function press(e: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step && found.length > 0) setAt((active + step + found.length) % found.length);
    else if (e.key === 'Enter') setEntered(true);
    else return;
    e.preventDefault();
  }
  useEffect(() => {
    if (!entered || loading) return;
    setEntered(false);
    go(found[active]);
  });
  let n = -1;
  return (
    <search className={classes.whole}>
      <TextInput
        variant="unstyled"
        size="lg"
        px="md"
        py="xs"
        aria-label={say('Search everything')}
        placeholder={say('Ref, id, 1,715.23 KES, client, customer’s e-mail, case …')}
        leftSection={<IconSearch size={20} aria-hidden />}
        rightSection={loading ? <Loader size="xs" aria-hidden /> : null}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(found.length > 0 ? { 'aria-activedescendant': optionId(active) } : {})}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        maxLength={200}
        value={typed}
        onChange={(e) => {
          setTyped(e.currentTarget.value);
          setEntered(false);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id={`${id}-list`} role="listbox" aria-label={say('Found')} className={classes.list} aria-busy={loading}>
        {groups.map((g) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div key={g.name} role="group" aria-labelledby={`${id}-${g.name}`}>
            <div id={`${id}-${g.name}`} className={classes.group}>
              {g.name}
            </div>
            {g.items.map((f) => {
              n += 1;
              const own = n;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and its keys choose the option
                <div
                  key={f.key}
                  id={optionId(own)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={own === active}
                  className={classes.option}
                  onMouseMove={() => setAt(own)}
                  onClick={() => go(f)}
                >
                  <Shown found={f} />
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {amounts ? <AmountsWithin covered={amounts} within={within} set={setWithin} /> : null}
      <div role="status" className={classes.state}>
        {error ? (
          <Text size="sm" c="brick">
            {told(error).sentence}
          </Text>
        ) : typed.trim() === '' ? (
          say(
            'Finds transactions by ref, id or amount, clients by name, customers by e-mail, telephone or wallet, cases by number, rules and pages.',
          )
        ) : found.length === 0 && !loading ? (
          say(
            'Nothing found. A ref is found by how it begins, where capitals count; an amount is the exact gross amount; a customer’s e-mail or number is given in full.',
          )
        ) : (
          <span className={classes.count}>{say('{found} found', { found: found.length })}</span>
        )}
      </div>
    </search>
  );
}

function Shown({ found: f }: { readonly found: Found }) {
  const { data: psps } = usePsps();
  const psp = f.pspId && psps?.find((p) => p.pspId === f.pspId)?.name;
  return (
    <>
      <span className={classes.title}>
        {f.title}
        {f.note ? (
          <Text span size="xs" c="dimmed">
            {f.note}
          </Text>
        ) : null}
      </span>
      <span className={classes.facts}>
        {f.amount ? <Money amount={f.amount} currency={f.currency ?? ''} /> : null}
        {f.status ? (
          <StatusBadge status={f.status} {...(f.status === 'NOT_ACCEPTED' ? { tone: 'bad' as const } : {})} />
        ) : null}
        {f.at ? (
          <Text span size="xs" c="dimmed">
            <Stamp at={f.at} />
          </Text>
        ) : null}
        {psp ? (
          <Badge variant="default" size="sm" tt="none" fw={500}>
            {psp}
          </Badge>
        ) : null}
      </span>
    </>
  );
}
