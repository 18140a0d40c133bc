import { InvalidArgumentError } from '@causantic/domain';
import type { ModelSpec, Pooling } from './model-spec.js';

/** A model known by name: where it is, and how its vectors are made, which none of its files says reliably. */
export interface RegisteredModel {
  /** On Hugging Face; an ONNX export of the model if its own repository has none. */
  repository: string;
  /** The first one that exists is used. */
  onnxFiles: readonly string[];
  dim: number;
  pooling: Pooling;
  queryPrefix: string;
  passagePrefix: string;
  maxTokens: number;
}

/** Where a repository of unknown origin keeps its graph, in order of preference. */
export const USUAL_ONNX_FILES = ['onnx/model.onnx', 'model.onnx', 'onnx/model_quantized.onnx'] as const;

/** Models of half a gigabyte or more use their 8-bit version. */
const QUANTIZED_FIRST = ['onnx/model_quantized.onnx', 'onnx/model.onnx'] as const;

/** Models with room for 8,192 tokens get a quarter of it: attention costs the square of that, and chunks are shorter. */
const LONG_CONTEXT_TOKENS = 2048;

/** From each model's card. */
export const modelRegistry: Readonly<Record<string, RegisteredModel>> = {
  'all-MiniLM-L6-v2': {
    repository: 'Xenova/all-MiniLM-L6-v2',
    onnxFiles: USUAL_ONNX_FILES,
    dim: 384,
    pooling: 'mean',
    queryPrefix: '',
    passagePrefix: '',
    maxTokens: 256,
  },
  'bge-small-en-v1.5': {
    repository: 'Xenova/bge-small-en-v1.5',
    onnxFiles: USUAL_ONNX_FILES,
    dim: 384,
    pooling: 'cls',
    queryPrefix: 'Represent this sentence for searching relevant passages: ',
    passagePrefix: '',
    maxTokens: 512,
  },
  'jina-embeddings-v2-small-en': {
    repository: 'Xenova/jina-embeddings-v2-small-en',
    onnxFiles: USUAL_ONNX_FILES,
    dim: 512,
    pooling: 'mean',
    queryPrefix: '',
    passagePrefix: '',
    maxTokens: LONG_CONTEXT_TOKENS,
  },
  'jina-embeddings-v2-base-code': {
    repository: 'jinaai/jina-embeddings-v2-base-code',
    onnxFiles: QUANTIZED_FIRST,
    dim: 768,
    pooling: 'mean',
    queryPrefix: '',
    passagePrefix: '',
    maxTokens: LONG_CONTEXT_TOKENS,
  },
  'multilingual-e5-small': {
    repository: 'Xenova/multilingual-e5-small',
    onnxFiles: QUANTIZED_FIRST,
    dim: 384,
    pooling: 'mean',
    queryPrefix: 'query: ',
    passagePrefix: 'passage: ',
    maxTokens: 512,
  },
  'nomic-embed-text-v1.5': {
    repository: 'nomic-ai/nomic-embed-text-v1.5',
    onnxFiles: QUANTIZED_FIRST,
    dim: 768,
    pooling: 'mean',
    queryPrefix: 'search_query: ',
    passagePrefix: 'search_document: ',
    maxTokens: LONG_CONTEXT_TOKENS,
  },
};

/** The model known by this name; names that every object has are not among them. */
export function registeredModel(name: string): RegisteredModel | undefined {
  return Object.hasOwn(modelRegistry, name) ? modelRegistry[name] : undefined;
}

/** What a sentence-transformers repository says about itself, as far as it has these files. */
export interface RepositoryConfig {
  /** 1_Pooling/config.json */
  pooling?: Record<string, unknown>;
  /** sentence_bert_config.json */
  sentenceBert?: { max_seq_length?: number | null };
  /** config_sentence_transformers.json */
  sentenceTransformers?: { prompts?: Record<string, string> };
  /** config.json */
  transformer?: { max_position_embeddings?: number; model_type?: string };
  /** modules.json */
  modules?: { type?: string }[];
}

/** The file that each part of {@link RepositoryConfig} comes from. */
export const CONFIG_FILES: Readonly<Record<keyof RepositoryConfig, string>> = {
  pooling: '1_Pooling/config.json',
  sentenceBert: 'sentence_bert_config.json',
  sentenceTransformers: 'config_sentence_transformers.json',
  transformer: 'config.json',
  modules: 'modules.json',
};

/** An output of a graph: its name and the lengths of its axes for one text. */
export interface GraphOutput {
  name: string;
  dims: readonly number[];
}

/** The description of a model known by name. */
export function registeredSpec(
  id: string,
  model: RegisteredModel,
  outputs: readonly GraphOutput[],
): ModelSpec {
  const { dim, pooling, queryPrefix, passagePrefix, maxTokens } = model;
  const { outputName } = outputOf(outputs);
  return { id, dim, pooling, queryPrefix, passagePrefix, maxTokens, normalize: true, outputName };
}

/** The description of any other model, from its graph and what its repository says. */
export function derivedSpec(
  id: string,
  config: RepositoryConfig,
  outputs: readonly GraphOutput[],
): ModelSpec {
  const { outputName, dim, isPooled } = outputOf(outputs, { isWhole: hasDenseLayer(config) });
  const prompts = config.sentenceTransformers?.prompts ?? {};
  const maxTokens = config.sentenceBert?.max_seq_length ?? positionsOf(config) ?? 512;
  return {
    id,
    dim,
    pooling: isPooled ? 'none' : poolingOf(config),
    queryPrefix: prompts['query'] ?? '',
    passagePrefix: prompts['passage'] ?? prompts['document'] ?? '',
    maxTokens: Math.min(maxTokens, LONG_CONTEXT_TOKENS),
    normalize: true,
    outputName,
  };
}

/** The words of 1_Pooling/config.json, as sentence-transformers writes them now and as it did until version 5. */
const POOLING_MODES = new Map<unknown, Pooling>([
  ['mean', 'mean'],
  ['cls', 'cls'],
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_cls_token', 'cls'],
]);

function poolingOf({ pooling = {} }: RepositoryConfig): Pooling {
  const flags = Object.keys(pooling).filter(
    (key) => key.startsWith('pooling_mode_') && pooling[key] === true,
  );
  const [mode = 'mean', ...others] = [pooling['pooling_mode'] ?? flags].flat();
  const known = POOLING_MODES.get(mode);
  if (known && others.length === 0) return known;
  throw new InvalidArgumentError(
    'model',
    [mode, ...others].join(),
    'a model that pools by mean or first token',
  );
}

/** RoBERTa-like models count positions from 2. */
function positionsOf({ transformer }: RepositoryConfig): number | undefined {
  const positions = transformer?.max_position_embeddings;
  const countsFromTwo = /roberta|camembert|mpnet/.test(transformer?.model_type ?? '');
  return positions !== undefined && countsFromTwo ? positions - 2 : positions;
}

/** A layer that makes another vector of the pooled one, as in EmbeddingGemma. */
function hasDenseLayer({ modules = [] }: RepositoryConfig): boolean {
  return modules.some(({ type = '' }) => type.endsWith('.Dense'));
}

/**
 * Token vectors [1, tokens, dim] if the graph has them, because only then is the pooling known; else a sentence vector.
 *
 * @param options `isWhole`: only a sentence vector, behind all layers, is right
 */
function outputOf(
  outputs: readonly GraphOutput[],
  { isWhole = false } = {},
): { outputName: string; dim: number; isPooled: boolean } {
  const tokens =
    outputs.find(({ name }) => name === 'last_hidden_state') ?? outputs.find(({ dims }) => dims.length === 3);
  const sentence =
    outputs.find(({ name }) => name === 'sentence_embedding') ??
    outputs.find(({ dims }) => dims.length === 2);
  if (isWhole && !sentence)
    throw new InvalidArgumentError(
      'model',
      'a graph without the dense layer of its repository',
      'a graph that has all layers',
    );
  const output = isWhole ? sentence : (tokens ?? sentence);
  if (!output) throw new Error(`The graph has no output of vectors: ${JSON.stringify(outputs)}.`);
  return { outputName: output.name, dim: output.dims.at(-1)!, isPooled: output === sentence };
}
