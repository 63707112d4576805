// The bill of materials of the release: what must be in it and what must not.

export interface Bom {
  readonly components: readonly {
    readonly version: string;
    /** Its package's name is encoded in it. */
    readonly purl: string;
    readonly 'bom-ref': string;
    readonly licenses?: readonly { readonly license?: { id?: string; name?: string }; readonly expression?: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** `packages` of package-lock.json. */
export type Locked = Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;

const packageOf = (purl: string): string => decodeURIComponent(purl.replace(/^pkg:npm\//, '').replace(/@[^@]*$/, ''));

/**
 * Without what is there for building and testing alone. By the lockfile, since `npm sbom --omit dev` leaves out every
 * package that a tool needs too.
 */
export function shippedOnly<B extends Bom>(bom: B, locked: Locked): B {
  const shipped = new Set(
    Object.entries(locked)
      .filter(([path, p]) => path.includes('node_modules/') && p.dev !== true)
      .map(([path, p]) => `${path.replace(/^.*node_modules\//, '')}@${p.version}`),
  );
  const own = /^(assay|@assay\/\w+|assay-workspace)$/;
  const isShipped = (c: Bom['components'][number]) =>
    own.test(packageOf(c.purl)) || shipped.has(`${packageOf(c.purl)}@${c.version}`);
  const components = bom.components.filter(isShipped);
  const left = new Set(components.map((c) => c['bom-ref']));
  const dependencies = bom.dependencies.map((d) => ({ ...d, dependsOn: d.dependsOn.filter((ref) => left.has(ref)) }));
  return {
    ...bom,
    components,
    dependencies: dependencies.filter((d) => left.has(d.ref) || /^assay-workspace@/.test(d.ref)),
  };
}

/** Free to use, change and pass on, with at most a notice. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
]);

/** Whether one of the choices that an expression gives is allowed in all its parts. */
const isAllowed = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, '')
    .split(/\s+or\s+/i)
    .some((choice) => choice.split(/\s+and\s+/i).every((id) => allowed.has(id.trim())));

/** @param direct names of the packages that what is shipped depends on */
export function sbomProblems(bom: Pick<Bom, 'components'>, direct: readonly string[]): string[] {
  const problems: string[] = [];
  for (const { purl, licenses } of bom.components) {
    const stated = (licenses ?? []).map((l) => l.expression ?? l.license?.id ?? l.license?.name ?? '');
    if (stated.length === 0 || !stated.every(isAllowed))
      problems.push(`${packageOf(purl)}: the licence '${stated.join(', ')}' is not on the list of service/test/sbom`);
  }
  const named = new Set(bom.components.map((c) => packageOf(c.purl)));
  for (const name of direct) if (!named.has(name)) problems.push(`${name} is missing`);
  return problems;
}
