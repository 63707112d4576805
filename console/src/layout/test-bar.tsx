// Says on every page of a test tenant that nothing on it is real.
import { IconFlask } from '@tabler/icons-react';
import { useChosenPsp } from '../data/psps.ts';
import classes from './test-bar.module.css';

export function TestBar() {
  const chosen = useChosenPsp();
  if (!chosen?.isTest) return null;
  return (
    <div role="note" className={classes.bar}>
      <IconFlask size={18} aria-hidden />
      <span>
        <strong>Test mode.</strong> Everything here was sent with a test key: no money moves, and it counts in no
        return.
      </span>
    </div>
  );
}
