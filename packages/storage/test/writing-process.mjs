// A process that writes for some seconds; run by long-waits.test.ts.
import { openSqlite } from '@causantic/storage';

const [path, ms] = process.argv.slice(2);
const db = openSqlite(path);
db.exec('BEGIN IMMEDIATE');
process.stdout.write('writing\n');
setTimeout(() => db.close(), Number(ms));
