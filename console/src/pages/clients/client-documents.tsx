// The documents of a client: adding one, opening it, and accepting or refusing it.

import { Anchor, Button, FileInput, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { DialogActions } from '../../components/dialog-actions.tsx';
import { Empty } from '../../components/empty.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Panel } from '../../components/panel.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords, StatusBadge } from '../../components/status-badge.tsx';
import type { Content } from '../../data/assay.ts';
import { dayInWords } from '../../data/moments.ts';
import { useMay } from '../../data/session.tsx';
import { useDo } from '../../data/use-do.ts';
import { usePages } from '../../data/use-op.ts';
import { say } from '../../words/words.ts';
import { useOwnerNames } from './client-owners.tsx';

type Client = Content<'getClient'>;
type Document = Content<'listClientDocuments'>['items'][number];

const kinds: readonly Document['kind'][] = [
  'CERTIFICATE_OF_INCORPORATION',
  'REGISTER_EXTRACT',
  'ARTICLES_OF_ASSOCIATION',
  'PROOF_OF_ADDRESS',
  'OWNER_IDENTITY',
  'BANK_ACCOUNT',
  'LICENCE',
  'TAX_CERTIFICATE',
  'SOURCE_OF_FUNDS',
  'AML_POLICY',
  'OTHER',
];
const types: readonly Document['contentType'][] = ['application/pdf', 'image/jpeg', 'image/png', 'text/plain'];
const typeOf = (file: File) => types.find((t) => t === file.type);

export function ClientDocuments({ client }: { readonly client: Client }) {
  const { clientId } = client;
  const isOpen = client.operationalStanding !== 'CLOSED';
  const adds = useMay('addClientDocument') && isOpen;
  const reads = useMay('getClientDocument');
  const decides = useMay('acceptClientDocument') && isOpen;
  const names = useOwnerNames(client);
  const pages = usePages('listClientDocuments', { clientId }, { asOperator: true });
  return (
    <Panel title={say('Documents')} actions={adds ? <AddDocument clientId={clientId} owners={names} /> : null} flush>
      <DataTable<Document>
        label={say('Documents')}
        pages={pages}
        rowKey={(d) => d.documentId}
        empty={<Empty title={say('No documents')}>{say('The client, its PSP or staff add them here.')}</Empty>}
        columns={[
          {
            key: 'kind',
            header: say('Document'),
            cell: (d) => (
              <Stack gap={0}>
                {reads ? (
                  <Anchor href={`/v1/client/${clientId}/document/${d.documentId}`} download size="sm">
                    {inWords(d.kind)}
                  </Anchor>
                ) : (
                  inWords(d.kind)
                )}
                {d.owner ? (
                  <Text size="sm" c="dimmed">
                    {names.get(d.owner) ?? say('A former owner')}
                  </Text>
                ) : null}
              </Stack>
            ),
          },
          {
            key: 'state',
            header: say('State'),
            cell: (d) => (
              <Stack gap={0}>
                <StatusBadge
                  status={d.state}
                  {...(d.state === 'SUBMITTED' ? { label: say('To be decided'), tone: 'wait' as const } : {})}
                  {...(d.state === 'REFUSED' ? { tone: 'bad' as const } : {})}
                />
                {d.decisionReason ? <Text size="sm">{d.decisionReason}</Text> : null}
              </Stack>
            ),
          },
          {
            key: 'until',
            header: say('Counts until'),
            cell: (d) => (d.validUntil ? dayInWords(d.validUntil) : <Nothing />),
          },
          { key: 'at', header: say('Added'), cell: (d) => <Stamp at={d.createdAt} /> },
          ...(decides ? [{ key: 'act', header: say('Decision'), cell: (d: Document) => <Decide document={d} /> }] : []),
        ]}
      />
    </Panel>
  );
}

function Decide({ document: d }: { readonly document: Document }) {
  const accept = useDo('acceptClientDocument', { asOperator: true, done: say('The document is accepted') });
  const refuse = useDo('refuseClientDocument', { asOperator: true, done: say('The document is refused') });
  if (d.state === 'REFUSED') return <Nothing />;
  const { clientId, documentId } = d;
  return (
    <Group gap="xs" wrap="nowrap">
      {d.state === 'SUBMITTED' ? (
        <ConfirmButton
          label={say('Accept')}
          size="xs"
          question={say('Accept the {kind}?', { kind: inWords(d.kind).toLowerCase() })}
          reason="optional"
          onConfirm={(reason) => accept.mutateAsync({ clientId, documentId, ...(reason ? { reason } : {}) })}
        />
      ) : null}
      <ConfirmButton
        label={say('Refuse')}
        size="xs"
        question={say('Refuse the {kind}?', { kind: inWords(d.kind).toLowerCase() })}
        reason="required"
        danger
        onConfirm={(reason) => refuse.mutateAsync({ clientId, documentId, reason })}
      >
        {say('The client and its PSP read the reason.')}
      </ConfirmButton>
    </Group>
  );
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error(say('the file cannot be read')));
    reader.readAsDataURL(file);
  });

const mostBytes = 10 * 2 ** 20;

interface AddProps {
  readonly clientId: string;
  readonly owners: ReadonlyMap<string, string>;
}

function AddDocument({ clientId, owners }: AddProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const add = useDo('addClientDocument', { asOperator: true, done: say('The document is added') });
  const form = useForm({
    initialValues: {
      kind: 'PROOF_OF_ADDRESS' as Document['kind'],
      owner: null as string | null,
      file: null as File | null,
      validUntil: '',
    },
    validate: {
      file: (f) =>
        f === null
          ? say('Needed')
          : typeOf(f) === undefined
            ? say('A PDF, JPEG, PNG or text file')
            : f.size > mostBytes
              ? say('At most 10 MiB')
              : null,
      validUntil: (v) => (v === '' || /^\d{4}-\d{2}-\d{2}$/.test(v) ? null : say('A day, such as 2027-12-31')),
    },
  });
  const asksOwner = form.values.kind === 'OWNER_IDENTITY' && owners.size > 0;
  const submit = form.onSubmit(async ({ kind, owner, file, validUntil }) => {
    const contentType = file && typeOf(file);
    if (!file || !contentType) return;
    const content = await base64Of(file);
    const given = {
      ...{ clientId, kind, contentType, content, name: file.name },
      ...(asksOwner && owner ? { owner } : {}),
      ...(validUntil ? { validUntil } : {}),
    };
    if (!(await add.mutateAsync(given).catch(() => undefined))) return;
    form.reset();
    close();
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {say('Add a document')}
      </Button>
      <Modal opened={opened} onClose={close} title={say('Add a document')}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Select
              label={say('Kind')}
              allowDeselect={false}
              data={kinds.map((k) => ({ value: k, label: inWords(k) }))}
              {...form.getInputProps('kind')}
            />
            {asksOwner ? (
              <Select
                label={say('Owner')}
                description={say('Whose identity it shows; leave it empty for somebody who is no owner')}
                data={[...owners].map(([value, label]) => ({ value, label }))}
                {...form.getInputProps('owner')}
              />
            ) : null}
            <FileInput
              label={say('File')}
              description={say('PDF, JPEG, PNG or text, at most 10 MiB. It is stored sealed.')}
              required
              accept={types.join(',')}
              {...form.getInputProps('file')}
            />
            <TextInput
              label={say('Last day on which it is valid')}
              description={say('YYYY-MM-DD; leave it empty if it does not expire')}
              {...form.getInputProps('validUntil')}
            />
            <DialogActions label={say('Add the document')} busy={add.isPending} onCancel={close} />
          </Stack>
        </form>
      </Modal>
    </>
  );
}
