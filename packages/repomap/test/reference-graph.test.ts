import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MAX_DEFINING_FILES } from '../src/ranks/definers.js';
import { languageNumber } from '../src/extraction/languages.js';
import { buildReferenceGraph, type EarlierGraph } from '../src/ranks/reference-graph.js';
import { SymbolTable } from '@causantic/domain/symbol-table';
import { TagColumnsBuilder } from '../src/cache/tag-columns.js';
import { REFERENCE_FORMS, type Definition, type FileTags, type References } from '../src/tags.js';
import { SeededRandom } from '../../../test/seeded-random.js';

type Tree = Map<string, FileTags>;

const GO = languageNumber('go');
const PYTHON = languageNumber('python');

const NAMES = Array.from({ length: 60 }, (_, i) => (i < 8 ? `Type${i}` : `nameNumber${i}`));

const MODULES = Array.from({ length: 12 }, (_, i) => [
  `./file${i}`,
  `../src/file${i}.js`,
  `deep/file${i}`,
  `file${i}`,
])
  .flat()
  .concat('.', '..', './deep', './', 'deep', '@/src/deep', '../lib', '#file3');

function randomTags(random: SeededRandom): FileTags {
  const references = mentioning({});
  for (let i = random.below(12); i > 0; i--) {
    const form = random.pick(REFERENCE_FORMS);
    const isModule = form === 'import' || form === 'reexport';
    if (form === 'imported-class') {
      const module = random.pick(MODULES);
      references.import!.set(module, 1);
      references[form]!.set(`${module}//${random.pick(NAMES)}`, 1);
    } else if (isModule) (references[form] ??= new Map()).set(random.pick(MODULES), 1);
    else (references[form] ??= new Map()).set(random.pick(NAMES), 1 + random.below(4));
  }
  const definitions = Array.from({ length: random.below(6) }, (_, i) => {
    const kind = random.pick(['fn', 'method', 'struct', 'extension', 'local-fn'] as const);
    return { name: random.pick(NAMES), kind, line: i + 1 };
  });
  // Two languages of one family, one of another, and Go, whose names of small letters are known in one folder.
  return { language: random.pick([0, 1, 3, GO]), definitions, references };
}

function mentioning(names: Partial<Record<keyof References, readonly string[]>>): References {
  const counted = (form: keyof References) => new Map((names[form] ?? []).map((name) => [name, 1]));
  return Object.fromEntries(REFERENCE_FORMS.map((form) => [form, counted(form)])) as References;
}

function randomTree(random: SeededRandom): Tree {
  const paths = Array.from({ length: 5 + random.below(30) }, () => randomPath(random));
  return new Map(paths.map((path) => [path, randomTags(random)]));
}

function randomPath(random: SeededRandom): string {
  const folders = ['', 'src/', 'src/deep/', 'test/', 'lib/'];
  const names = [
    `file${random.below(12)}.ts`,
    `file${random.below(12)}.ts`,
    `Type${random.below(8)}.ts`,
    `file${random.below(4)}.py`,
    'index.ts',
    '__init__.py',
  ];
  const name = random.pick(names);
  return `${random.pick(folders)}${name}`;
}

/** Edits, adds, removes and moves a few files, or changes one thing in them alone. */
function changed(tree: Tree, random: SeededRandom): Tree {
  const next = new Map(tree);
  for (let i = random.below(4); i >= 0; i--) {
    const path = [...next.keys()][random.below(next.size)]!;
    const tags = next.get(path)!;
    const { definitions, references } = tags;
    const change = random.below(10);
    if (change === 0) next.delete(path);
    else if (change === 1) next.set(randomPath(random), randomTags(random));
    else if (change === 2) next.set(path, randomTags(random));
    else if (change === 3) next.set(path, { ...tags, language: 3 });
    else if (change === 4) next.set(path, { ...tags, definitions: [...definitions].reverse() });
    else if (change === 5)
      next.set(path, { ...tags, definitions: definitions.map((each) => ({ ...each, kind: 'struct' })) });
    else if (change === 6) {
      const form = random.pick(['import', 'reexport', 'type'] as const);
      const names = form === 'type' ? NAMES : MODULES;
      const few = new Map([1, 2, 3].map((count) => [random.pick(names), form === 'type' ? count : 1]));
      // What is imported by name is imported from one of the modules.
      const byName = form === 'import' ? new Map<string, number>() : references['imported-class']!;
      next.set(path, { ...tags, references: { ...references, [form]: few, 'imported-class': byName } });
    } else if (change === 7)
      next.set(path, {
        ...tags,
        references: { ...references, any: references.method!, method: references.any! },
      });
    else {
      const any = [...references.any!].map(([name, count]): [string, number] =>
        change === 8 ? [name, count + 1] : [NAMES[(NAMES.indexOf(name) + 1) % NAMES.length]!, count],
      );
      next.set(path, { ...tags, references: { ...references, any: new Map(any) } });
    }
    if (next.size === 0) next.set('only.ts', randomTags(random));
  }
  return next;
}

function hashOf({ language, definitions, references }: FileTags) {
  return crc32(
    JSON.stringify([language, definitions, REFERENCE_FORMS.map((form) => [...(references[form] ?? [])])]),
  );
}

function filesOf(tree: Tree, symbols: SymbolTable) {
  const paths = [...tree.keys()].sort();
  const tags = new TagColumnsBuilder(symbols);
  for (const path of paths) tags.addFile(tree.get(path));
  const hashes = Uint32Array.from(paths, (path) => hashOf(tree.get(path)!));
  return { paths, hashes, tags: tags.finish() };
}

describe('the reference graph', () => {
  it('is the same updated from any earlier one as built afresh', () => {
    for (let seed = 0; seed < 150; seed++) {
      const random = new SeededRandom(seed);
      let tree = randomTree(random);
      let earlier: EarlierGraph | undefined;
      for (let step = 0; step < 6; step++) {
        // Names are numbered anew now and then.
        const known = random.below(3) === 0 ? undefined : earlier?.files.tags.symbols;
        const files = filesOf(tree, new SymbolTable(known));
        const graph = buildReferenceGraph(files, earlier);
        // Which file a module means is looked up when it is asked for, and remembered.
        const { modules } = graph;
        expect(graph, `seed ${seed}, step ${step}`).toEqual({ ...buildReferenceGraph(files), modules });
        earlier = { files, graph };
        tree = changed(tree, random);
      }
    }
  });

  it('is built afresh where a folder becomes a Python package', () => {
    const definer = { language: 3, definitions: [{ name: 'zip', kind: 'fn' as const, line: 1 }] };
    const user = {
      language: 3,
      definitions: [],
      references: mentioning({ import: ['archive'], any: ['zip'] }),
    };
    const tree: Tree = new Map([
      ['other.py', { ...definer, references: mentioning({}) }],
      ['tools/archive.py', { ...definer, references: mentioning({}) }],
      ['user.py', user],
    ]);
    const files = filesOf(tree, new SymbolTable());
    const graph = buildReferenceGraph(files);
    tree.set('tools/__init__.py', { language: 3, definitions: [], references: mentioning({}) });
    const filesNow = filesOf(tree, new SymbolTable(files.tags.symbols));
    expect(buildReferenceGraph(filesNow, { files, graph }).weights).toEqual(
      buildReferenceGraph(filesNow).weights,
    );
  });

  it('is built afresh where a file passes on another than before', () => {
    const zip = { language: 0, definitions: [{ name: 'zip', kind: 'fn' as const, line: 1 }] };
    const tree: Tree = new Map([
      ['brotli.ts', { ...zip, references: mentioning({}) }],
      ['gzip.ts', { ...zip, references: mentioning({}) }],
      [
        'user.ts',
        { language: 0, definitions: [], references: mentioning({ import: ['./all'], any: ['zip'] }) },
      ],
    ]);
    const passingOn = (module: string, symbols: SymbolTable) => {
      const all = { language: 0, definitions: [], references: mentioning({ reexport: [module] }) };
      return filesOf(new Map([...tree, ['all.ts', all]]), symbols);
    };
    const files = passingOn('./brotli', new SymbolTable());
    const graph = buildReferenceGraph(files);
    const filesNow = passingOn('./gzip', new SymbolTable(files.tags.symbols));
    const weights = buildReferenceGraph(filesNow).weights;
    expect(weights).not.toEqual(graph.weights);
    expect(buildReferenceGraph(filesNow, { files, graph }).weights).toEqual(weights);
  });

  it('notices a file that took too long before and that another process has read since', () => {
    const references = mentioning({});
    const user = { language: 0, definitions: [], references: mentioning({ any: ['zip'] }) };
    const read = (definitions: Definition[], symbols: SymbolTable) => {
      const files = filesOf(
        new Map([
          ['user.ts', user],
          ['zip.ts', { language: 0, definitions, references }],
        ]),
        symbols,
      );
      files.hashes.fill(1);
      return files;
    };
    const files = read([], new SymbolTable());
    const graph = buildReferenceGraph(files);
    const filesNow = read([{ name: 'zip', kind: 'fn', line: 1 }], new SymbolTable(files.tags.symbols));
    expect([...graph.targets, ...buildReferenceGraph(filesNow, { files, graph }).targets]).toEqual([1]);
  });

  it('shares a mention among definitions, however deep they lie', () => {
    const definitions: Definition[] = [{ name: 'zip', kind: 'fn', line: 1 }];
    const folder = 'deep/'.repeat(100);
    const definer = { language: 0, definitions, references: mentioning({}) };
    const tree: Tree = new Map([
      [`${folder}gzip.ts`, definer],
      [`${folder}user.ts`, { language: 0, definitions: [], references: mentioning({ any: ['zip'] }) }],
      ['zip.ts', definer],
    ]);
    const [near, far] = buildReferenceGraph(filesOf(tree, new SymbolTable())).weights;
    expect(near).toBeGreaterThan(far!);
    expect(far).toBeGreaterThan(0);
  });

  it('does not follow a name that too many files define', () => {
    const edgesTo = (definingFiles: number) => {
      const definer = { language: 0, definitions: [{ name: 'common', kind: 'fn' as const, line: 1 }] };
      const files = Array.from({ length: definingFiles }, (_, i) => {
        return [`file${i}.ts`, { ...definer, references: mentioning({}) }] as const;
      });
      const user = { language: 0, definitions: [], references: mentioning({ any: ['common'] }) };
      const tree: Tree = new Map([...files, ['user.ts', user]]);
      return buildReferenceGraph(filesOf(tree, new SymbolTable())).targets.length;
    };
    expect(edgesTo(MAX_DEFINING_FILES)).toBe(MAX_DEFINING_FILES);
    expect(edgesTo(MAX_DEFINING_FILES + 1)).toBe(0);
  });

  describe('where a file imports others', () => {
    /** By file, what `user.ts` gives it, mentioning `compress` and `flush`, a method. */
    function weightsOf(imports: string[], more: Record<string, FileTags> = {}): Record<string, number> {
      const definitions: Definition[] = [
        { name: 'compress', kind: 'fn', line: 1 },
        { name: 'flush', kind: 'method', line: 2 },
      ];
      const definer = { language: 0, definitions, references: mentioning({}) };
      const references = mentioning({ import: imports, any: ['compress'], method: ['flush'] });
      const user = { language: 0, definitions: [], references };
      const files = { 'brotli.ts': definer, 'deep/gzip.ts': definer, 'user.ts': user, ...more };
      const { paths, hashes, tags } = filesOf(new Map(Object.entries(files)), new SymbolTable());
      const { offsets, targets, weights } = buildReferenceGraph({ paths, hashes, tags });
      const from = paths.indexOf('user.ts');
      const edges = Array.from({ length: offsets[from + 1]! - offsets[from]! }, (_, i) => offsets[from]! + i);
      return Object.fromEntries(edges.map((edge) => [paths[targets[edge]!]!, weights[edge]!]));
    }
    const without = weightsOf([]);

    it('means what those define', () => {
      const weights = weightsOf(['./deep/gzip']);
      expect(without['deep/gzip.ts']! / without['brotli.ts']!).toBeCloseTo(1);
      expect(weights['deep/gzip.ts']! / weights['brotli.ts']!).toBeGreaterThan(3);
      expect(weights['deep/gzip.ts']!).toBeGreaterThan(without['deep/gzip.ts']!);
    });

    it('means what they bring in with them', () => {
      const barrel = (module: string): FileTags => {
        return { language: 0, definitions: [], references: mentioning({ reexport: [module] }) };
      };
      const more = { 'all.ts': barrel('./deep'), 'deep/index.ts': barrel('./gzip') };
      expect(weightsOf(['./all'], more)).toEqual(weightsOf(['./deep/gzip']));
    });

    it('hardly means what none of them defines', () => {
      const other = { language: 0, definitions: [], references: mentioning({}) };
      const weights = weightsOf(['./other'], { 'other.ts': other });
      expect(weights['brotli.ts']).toBeCloseTo(without['brotli.ts']! / 2);
    });
  });

  describe('what a mention most likely does not mean', () => {
    /** What `user.ts` gives the only other file, which defines `compress` and `Archive`. */
    function weightOf(
      kind: Definition['kind'],
      names: Parameters<typeof mentioning>[0],
      extension: 'ts' | 'py' = 'ts',
    ): number {
      const language = extension === 'py' ? PYTHON : 0;
      const definitions: Definition[] = [
        { name: 'compress', kind, line: 1 },
        { name: 'Archive', kind: 'class', line: 2 },
      ];
      const archive = { language, definitions, references: mentioning({}) };
      const user = { language, definitions: [], references: mentioning(names) };
      const tree: Tree = new Map([
        [`archive.${extension}`, archive],
        [`user.${extension}`, user],
      ]);
      return buildReferenceGraph(filesOf(tree, new SymbolTable())).weights[0]!;
    }
    const full = weightOf('fn', { any: ['compress'] });

    it('is a function, where it stands behind an object', () => {
      expect(weightOf('fn', { method: ['compress'] })).toBeCloseTo(full / 4);
    });

    it('is anything of another file, where the name was not brought in', () => {
      expect(weightOf('fn', { unbound: ['compress'] })).toBeCloseTo(full / 4);
    });

    it('is a method in Python, where the name stands alone', () => {
      const names = { unbound: ['compress'], any: ['Archive'] };
      expect(weightOf('method', names, 'py')).toBe(weightOf('method', { any: ['Archive'] }, 'py'));
      expect(weightOf('fn', names, 'py')).toBeGreaterThan(weightOf('method', names, 'py'));
    });

    it('is anything of the tree, where the standard library has it', () => {
      expect(weightOf('fn', { standard: ['compress'] })).toBeLessThan(full / 20);
    });

    it('is a method of a file of which nothing else is mentioned', () => {
      const archive = weightOf('method', { any: ['Archive'] });
      expect(weightOf('method', { method: ['compress'] })).toBeCloseTo(full / 4);
      expect(weightOf('method', { method: ['compress'], any: ['Archive'] })).toBeCloseTo(archive + full);
    });
  });

  it('a mention of a type means where it is defined, not where it is extended', () => {
    const swift = languageNumber('swift');
    const file = (kind: Definition['kind'] | undefined): FileTags => ({
      language: swift,
      definitions: kind === undefined ? [] : [{ name: 'Buffer', kind, line: 1 }],
      references: mentioning({ any: ['Buffer'] }),
    });
    const tree: Tree = new Map([
      ['buffer.swift', file('struct')],
      ['hex.swift', file('extension')],
      ['user.swift', file(undefined)],
    ]);
    expect([...buildReferenceGraph(filesOf(tree, new SymbolTable())).targets]).toEqual([0, 0]);
  });

  it.each([
    ['Request', 'api/Request.kt', ['api/Dns.kt', 'api/Requests.kt'], 0.83],
    // Where no file, or each, has the name, all are as likely.
    ['Request', 'api/Calls.kt', ['api/Dns.kt'], 0.5],
    ['Request', 'api/Request.kt', ['sdk/Request.kt'], 0.5],
    // A function is not what a file is made for.
    ['request', 'api/request.kt', ['api/calls.kt'], 0.5],
  ])('a mention of %s means what %s defines rather than what %j do', (name, named, others, share) => {
    const kotlin = languageNumber('kotlin');
    const definitions: Definition[] = [{ name, kind: 'class', line: 1 }];
    const defining = (path: string): [string, FileTags] => [
      path,
      { language: kotlin, definitions, references: mentioning({}) },
    ];
    const user = { language: kotlin, definitions: [], references: mentioning({ any: [name] }) };
    const tree: Tree = new Map([defining(named), ...others.map(defining), ['user.kt', user]]);
    const files = filesOf(tree, new SymbolTable());
    const { targets, weights } = buildReferenceGraph(files);
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    expect(weights[targets.indexOf(files.paths.indexOf(named))]! / all).toBeCloseTo(share, 1);
  });

  it('where a type stands, no function, method or constant is meant', () => {
    const kinds = ['fn', 'method', 'const', 'struct'] as const;
    const tree: Tree = new Map(
      kinds.map((kind): [string, FileTags] => [
        `${kind}.go`,
        { language: GO, definitions: [{ name: 'View', kind, line: 1 }], references: mentioning({}) },
      ]),
    );
    tree.set('user.go', { language: GO, definitions: [], references: mentioning({ type: ['View'] }) });
    expect([...buildReferenceGraph(filesOf(tree, new SymbolTable())).targets]).toEqual([3]);
  });

  it.each([
    ['php', 'function', 'method', 'fn'],
    ['bash', 'variable', 'fn', 'const'],
    ['bash', 'function', 'const', 'fn'],
  ] as const)('where in %s a %s stands, no %s is meant', (language, form, unmeant, meant) => {
    const file = (kind: Definition['kind']): FileTags => ({
      language: languageNumber(language),
      definitions: [{ name: 'collect', kind, line: 1 }],
      references: mentioning({}),
    });
    const tree: Tree = new Map([
      ['helpers', file(meant)],
      ['other', file(unmeant)],
      ['user', { ...file(meant), definitions: [], references: mentioning({ [form]: ['collect'] }) }],
    ]);
    expect([...buildReferenceGraph(filesOf(tree, new SymbolTable())).targets]).toEqual([0]);
  });

  it.each([
    ['what is inside a function', 'python', 'fn', 'local-fn'],
    ['a type inside a function', 'cpp', 'type', 'local-type'],
    ['a constructor outside its class', 'cpp', 'class', 'constructor'],
  ] as const)('%s of %s is meant by no mention, not even by its own file', (_, language, meant, unmeant) => {
    const file = (kind: Definition['kind'] | undefined): FileTags => ({
      language: languageNumber(language),
      definitions: kind === undefined ? [] : [{ name: 'command', kind, line: 1 }],
      references: mentioning({ any: ['command'] }),
    });
    const tree: Tree = new Map([
      ['command', file(meant)],
      ['test_command', file(unmeant)],
      ['user', file(undefined)],
    ]);
    expect([...buildReferenceGraph(filesOf(tree, new SymbolTable())).targets]).toEqual([0, 0]);
  });

  it.each([
    ['open', 'shop/till.go', true],
    ['open', 'stock/till.go', false],
    ['_open', 'stock/till.go', false],
    ['Open', 'stock/till.go', true],
    ['open', 'shop/front/till.go', false],
  ])('a mention of %s in shop/ of Go means what %s defines: %s', (name, path, isMeant) => {
    const definitions: Definition[] = [{ name, kind: 'fn', line: 1 }];
    const tree: Tree = new Map([
      ['shop/door.go', { language: GO, definitions: [], references: mentioning({ any: [name] }) }],
      [path, { language: GO, definitions, references: mentioning({}) }],
    ]);
    const { targets } = buildReferenceGraph(filesOf(tree, new SymbolTable()));
    expect(targets).toHaveLength(isMeant ? 1 : 0);
  });

  it('is built afresh where the numbers of names are others', () => {
    const random = new SeededRandom(1);
    const files = filesOf(randomTree(random), new SymbolTable());
    const others = filesOf(randomTree(random), new SymbolTable());
    const earlier = { files, graph: buildReferenceGraph(files) };
    expect(buildReferenceGraph(others, earlier)).toEqual(buildReferenceGraph(others));
  });
});
