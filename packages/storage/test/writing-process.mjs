// A process that holds the lock for writing for some time; run by tests.
import { openSqlite } from '@causantic/storage';

const [path, ms] = process.argv.slice(2);
const db = openSqlite(path);
db.exec('BEGIN IMMEDIATE');
process.stdout.write('writing\n');
setTimeout(() => db.close(), Number(ms));
