// Opens a memory that it may not be able to write, and says what came of it; run by store.test.ts.
import { Store } from '@causantic/storage';

const path = process.argv[2];
// Loads all that is needed, which another user may not reach.
Store.open(':memory:').close();
const NOBODY = 65534;
if (process.getuid() === 0) process.setuid(NOBODY);

function attempt(work) {
  try {
    return work();
  } catch (error) {
    return error.code;
  }
}

function said(work) {
  try {
    return work();
  } catch (error) {
    return error.message;
  }
}

function within(open, look) {
  return attempt(() => {
    const store = open();
    const seen = look(store);
    store.close();
    return seen;
  });
}

const WEIGHTS = { prompt: 1, said: 1, tools: 1, results: 1, words: 1 };
const found = (store) => store.keywords.postings('fresh', {}, WEIGHTS, 100).ids.length;

const seen = {
  opened: within(
    () => Store.open(path),
    () => 'well',
  ),
  read: within(
    () => Store.open(path, { forReading: true }),
    (store) => ({
      found: found(store),
      isWritable: store.isWritable,
      isInPlace: store.isInPlace(),
      written: attempt(() => store.edges.clear()),
      named: said(() => store.edges.clear()).includes(path),
    }),
  ),
  copied: within(
    () => Store.openCopy(path),
    (store) => ({ found: found(store) }),
  ),
};
process.stdout.write(JSON.stringify(seen));
