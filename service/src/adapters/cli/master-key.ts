// assay master-key: wraps the data keys with a new master key. Sealed data does not change.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { masterKeyFrom, readMasterKey, rotateMaster } from '../../platform/sealed-secrets.ts';
import { add, type Command, group, needed } from './command.ts';
import { withApp } from './local.ts';

export function masterKeyCommands(program: Command): void {
  const key = group(program, 'master-key', 'the key that wraps all others');
  add<{ newKeyFile: string }>(
    key,
    'rotate',
    'wrap the data keys under a new master key; give the new one to the service at its next start',
    [needed('--new-key-file <file>', 'holds the new key: 32 bytes as hex or base64')],
    (out, { newKeyFile }) =>
      withApp(out, async ({ services: s }) => {
        const before = masterKeyFrom(s.settings.masterKey, join(s.settings.dataDir, 'secrets', 'master.key'))(false);
        await rotateMaster(
          s.db,
          before,
          readMasterKey(readFileSync(resolve(out.around.cwd, newKeyFile), 'utf8'), newKeyFile),
        );
        out.result({ rotated: true }, () => out.line('The data keys are wrapped under the new master key.'));
        out.remark('Set ASSAY_MASTER_KEY (or replace secrets/master.key) before the service starts again.');
      }),
  );
}
