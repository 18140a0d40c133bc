// A process that ingests a folder and prints a line a file; run by processes.test.ts.
import { Store } from '@causantic/storage';
import { ingestTree } from '@causantic/ingest';

const [database, folder] = process.argv.slice(2);
const store = Store.open(database);
const report = ingestTree(store, [folder], { onProgress: ({ path }) => process.stdout.write(`${path}\n`) });
store.close();
process.exitCode = report.issues.length === 0 ? 0 : 1;
