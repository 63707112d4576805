// One list: how it was loaded, and its entries, which are put and removed here where the list is one's own.
import { Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { Id } from '../../components/id.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { countryName } from '../../data/countries.ts';
import { dayInWords } from '../../data/moments.ts';
import { usePath } from '../../data/path.ts';
import { usePsp } from '../../data/psp.tsx';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { useOp, usePages } from '../../data/use-op.ts';
import { PutEntry } from './put-entry.tsx';
import { entryKinds, isKeptByHand, keyKinds, type ListEntry, purposes } from './words.ts';

const above = [{ title: 'Lists', to: '/lists' }];

export default function ListPage() {
  const list = usePath('list');
  const { isOperator, pspId } = usePsp();
  const administrator = useMay('administrator');
  const { data } = useOp('listLists', {});
  const pages = usePages('listListEntries', { list });
  // A PSP's own list is shown before one of the same name for all PSPs.
  const named = data?.items.filter((l) => l.list === list) ?? [];
  const of = named.find((l) => !l.shared) ?? named[0];
  const ownsShared = isOperator && !pspId;
  const mayChange = administrator && of !== undefined && isKeptByHand(of) && of.shared === ownsShared;
  return (
    <>
      <PageHeader
        title={list}
        above={above}
        lead={of ? `${purposes[of.purpose]} · screened for ${of.shared ? 'all PSPs' : 'this PSP'}` : undefined}
        actions={mayChange ? <PutEntry list={list} /> : null}
      />
      <Stack>
        {of ? (
          <Panel title="Last load">
            <Facts
              columns={2}
              items={[
                ['Entries', of.entries.toLocaleString('en-GB')],
                ['Names match from', `${of.threshold}%`],
                ['Published', of.published && dayInWords(of.published)],
                ['Loaded', <Stamp key="at" at={of.loadedAt} show="both" />],
                of.form === 'API' ? ['Changed last', of.name] : ['File', of.name],
                ['SHA-256', <Id key="sha" value={of.sha256} what="SHA-256" />],
              ]}
            />
          </Panel>
        ) : null}
        <Panel title="Entries" flush>
          <DataTable
            label="Entries"
            pages={pages}
            rowKey={(e) => e.ref}
            empty={<Empty title="No entries">All entries of this list were removed; they are kept as history.</Empty>}
            columns={[
              { key: 'ref', header: 'Entry', cell: (e) => e.ref },
              { key: 'names', header: 'Names', cell: (e) => <Names of={e} /> },
              { key: 'kind', header: 'Kind', cell: (e) => entryKinds[e.kind] },
              { key: 'born', header: 'Born', cell: (e) => e.births.join(', ') || <Nothing /> },
              {
                key: 'countries',
                header: 'Countries',
                cell: (e) => e.countries.map(countryName).join(', ') || <Nothing />,
              },
              { key: 'keys', header: 'Exact values', cell: (e) => <Keys of={e} /> },
              ...(mayChange
                ? [
                    {
                      key: 'remove',
                      header: '',
                      align: 'right' as const,
                      cell: (e: ListEntry) => <Remove list={list} entryRef={e.ref} />,
                    },
                  ]
                : []),
            ]}
          />
        </Panel>
      </Stack>
    </>
  );
}

function Names({ of: e }: { readonly of: ListEntry }) {
  const [main, ...others] = e.names;
  if (main === undefined) return <Nothing />;
  return (
    <>
      {main.name}
      {others.length > 0 ? (
        <Text size="xs" c="dimmed">
          {others.map((n) => (n.weak ? `${n.name} (weak)` : n.name)).join('; ')}
        </Text>
      ) : null}
    </>
  );
}

function Keys({ of: e }: { readonly of: ListEntry }) {
  if (e.keys.length === 0) return <Nothing />;
  return e.keys.map((k) => (
    <Text key={`${k.kind} ${k.value}`} size="xs" style={{ overflowWrap: 'anywhere' }}>
      {keyKinds[k.kind]}: {k.value}
    </Text>
  ));
}

function Remove({ list, entryRef }: { readonly list: string; readonly entryRef: string }) {
  const remove = useDo('removeOwnListEntry', { done: 'Removed' });
  return (
    <ConfirmButton
      label="Remove"
      question={`Remove ${entryRef} from ${list}?`}
      danger
      size="xs"
      onConfirm={() => remove.mutateAsync({ list, ref: entryRef })}
    >
      Nobody matches it from then on. It is kept as history.
    </ConfirmButton>
  );
}
