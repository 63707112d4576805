// The five fields of cron as the settings take them: minute, hour, day of the month, month, day of the week. Those of the
// scheduler are narrower than those of cron elsewhere: no names, no 7 for Sunday, and steps of * alone.

const fields = [
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day of the month', 1, 31],
  ['month', 1, 12],
  ['day of the week', 0, 6],
] as const;

function isItem(item: string, least: number, most: number): boolean {
  const [, step, from, to = from] = /^(?:\*(?:\/(\d+))?|(\d+)(?:-(\d+))?)$/.exec(item) ?? ['', '0'];
  if (from === undefined) return step === undefined || Number(step) > 0;
  const [first, last] = [Number(from), Number(to)];
  return least <= first && first <= last && last <= most;
}

/** What is wrong with five fields of cron, as words that continue the setting's name; undefined if nothing is. */
export function wrongCron(text: string): string | undefined {
  const given = text.split(/ +/);
  if (given.length !== fields.length) return `must be five fields of cron such as */15 * * * *, or off; not '${text}'`;
  const at = given.findIndex((field, i) => {
    const [, least, most] = fields[i] as (typeof fields)[number];
    return !field.split(',').every((item) => isItem(item, least, most));
  });
  if (at < 0) return undefined;
  const [name, least, most] = fields[at] as (typeof fields)[number];
  return `has '${given[at]}' for the ${name}, which must be *, */2, or numbers from ${least} to ${most} such as ${least + 1} or ${least + 1}-${least + 3},${most}`;
}
