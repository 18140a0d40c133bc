import { quoted } from '@causantic/claude-code';
import { builtInModel, listModels, modelRegistry, modelsFolder, modelsInUse } from '@causantic/compute';
import { megabytes } from '@causantic/domain';
import type { ToolContext } from '@causantic/mcp-server';

export type Memory = Pick<ToolContext, 'store' | 'home'>;

interface ListedModel {
  id: string;
  /** 0 when nothing here tells. */
  dimensions: number;
  /** Null when it is not installed. */
  bytes: number | null;
  installed: boolean;
  builtIn: boolean;
  /** `next`: its vectors are being made; search uses the model that is `in use` until then. */
  use: 'in use' | 'next' | null;
  chunks: number;
}

/** The built-in model, the installed ones, those known by name, and those in use or with vectors whose folder is gone. */
export async function listedModels({ store, home }: Memory): Promise<ListedModel[]> {
  const builtIn = await builtInModel();
  const installed = await listModels(modelsFolder(home));
  const known = [builtIn, ...installed];
  const counts = store.vectors.countByModel();
  const { searched, wanted } = await modelsInUse(store.embedding.state());
  const others = new Set([...Object.keys(modelRegistry), searched, wanted, ...Object.keys(counts)]);
  for (const { id } of known) others.delete(id);
  const about = (id: string): Pick<ListedModel, 'builtIn' | 'use' | 'chunks'> => ({
    builtIn: id === builtIn.id,
    use: id === searched ? 'in use' : id === wanted ? 'next' : null,
    chunks: counts[id] ?? 0,
  });
  const dimensionsOf = (id: string): number => modelRegistry[id]?.dim ?? store.vectors.dimensions(id);
  return [
    ...known.map(({ id, dim, bytes }) => ({ id, dimensions: dim, bytes, installed: true, ...about(id) })),
    ...[...others].map((id) => ({
      id,
      dimensions: dimensionsOf(id),
      bytes: null,
      installed: false,
      ...about(id),
    })),
  ];
}

/** What installs a model that is not there. One that came from a folder is known by its name to nobody. */
export function installing(id: string): string {
  const isKnown = Object.hasOwn(modelRegistry, id) || id.includes('/');
  return `causantic model install ${isKnown ? quoted(id) : 'NAME, where NAME is from causantic model list or a folder with a model'}`;
}

/** Columns whose cells stand at the right. */
const NUMBERS = new Set([1, 2, 5]);

function padded(cell: string, width: number, isNumber: boolean): string {
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}

export function tableOf(models: readonly ListedModel[]): string {
  const rows = models.map(({ id, dimensions, bytes, installed, builtIn, use, chunks }) => [
    id,
    dimensions === 0 ? '–' : String(dimensions),
    bytes === null ? '–' : megabytes(bytes),
    builtIn ? 'built in' : installed ? 'yes' : 'no',
    use ?? '',
    chunks.toLocaleString('en-US'),
  ]);
  const table = [['MODEL', 'DIMENSIONS', 'SIZE', 'INSTALLED', 'USE', 'CHUNKS'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const line = (row: string[]): string =>
    row.map((cell, column) => padded(cell, widths[column]!, NUMBERS.has(column))).join('  ');
  return table.map((row) => line(row).trimEnd()).join('\n');
}
