import { describe, expect, it } from 'vitest';
import { derivedSpec, type GraphOutput, type RepositoryConfig } from '../src/models/model-registry.js';

const tokens: GraphOutput = { name: 'token_embeddings', dims: [1, 7, 24] };
const hidden: GraphOutput = { name: 'last_hidden_state', dims: [1, 7, 16] };
const sentence: GraphOutput = { name: 'pooler_output', dims: [1, 8] };
const embedding: GraphOutput = { name: 'sentence_embedding', dims: [1, 16] };

describe('the description of a model that is not known by name', () => {
  it.each<[string, RepositoryConfig, number]>([
    ['what sentence-transformers uses', { sentenceBert: { max_seq_length: 128 } }, 128],
    [
      'all positions, where that is not told',
      { sentenceBert: { max_seq_length: null }, transformer: { max_position_embeddings: 384 } },
      384,
    ],
    [
      'two less for a model that counts from two',
      { transformer: { max_position_embeddings: 514, model_type: 'xlm-roberta' } },
      512,
    ],
    ['not all that a model for long texts takes', { transformer: { max_position_embeddings: 8192 } }, 2048],
    ['a common number, where nothing is told', {}, 512],
  ])('takes as many tokens as it can: %s', (_, config, maxTokens) => {
    expect(derivedSpec('x', config, [hidden])).toMatchObject({ maxTokens });
  });

  it.each<[Record<string, string>, string, string]>([
    [{ query: 'q: ', passage: 'p: ' }, 'q: ', 'p: '],
    [{ query: 'q: ', document: 'd: ' }, 'q: ', 'd: '],
    [{ classification: 'c: ' }, '', ''],
  ])('has the prefixes of its prompts: %j', (prompts, queryPrefix, passagePrefix) => {
    const config = { sentenceTransformers: { prompts } };
    expect(derivedSpec('x', config, [hidden])).toMatchObject({ queryPrefix, passagePrefix });
  });

  it.each<[GraphOutput[], string, string, number]>([
    [[sentence, tokens, hidden], 'last_hidden_state', 'mean', 16],
    [[embedding, tokens], 'token_embeddings', 'mean', 24],
    [[sentence, embedding], 'sentence_embedding', 'none', 16],
    [[sentence], 'pooler_output', 'none', 8],
  ])('uses vectors of tokens before those of sentences (%#)', (outputs, outputName, pooling, dim) => {
    expect(derivedSpec('x', {}, outputs)).toMatchObject({ outputName, pooling, dim });
  });

  it('uses vectors of sentences where a layer follows the pooling', () => {
    const config = { modules: [{ type: 'sentence_transformers.models.Pooling' }] };
    const dense = { modules: [...config.modules, { type: 'sentence_transformers.models.Dense' }] };
    expect(derivedSpec('x', config, [embedding, tokens])).toMatchObject({ outputName: 'token_embeddings' });
    expect(derivedSpec('x', dense, [embedding, tokens])).toMatchObject({
      outputName: 'sentence_embedding',
      pooling: 'none',
    });
    expect(() => derivedSpec('x', dense, [tokens])).toThrow('a graph that has all layers');
  });

  it('is none for a graph without vectors', () => {
    expect(() => derivedSpec('x', {}, [{ name: 'logits', dims: [2] }])).toThrow('no output of vectors');
  });
});
