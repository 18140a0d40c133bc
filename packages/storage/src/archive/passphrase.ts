import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ArchiveError } from '@causantic/domain';
import type { Encryption } from './header.js';

const deriveKey = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** 128 MB and some tenths of a second a guess: what RFC 7914 and OWASP name for files at rest. */
const COST = { cost: 2 ** 17, blockSize: 8, parallelization: 1 };
/** An archive could ask for more memory than there is. */
const LARGEST_MEMORY = 512 * 1024 * 1024;

const KEY_BYTES = 32;
const NONCE_BYTES = 12;

export async function newEncryption(passphrase: string): Promise<{ encryption: Encryption; key: Buffer }> {
  const salt = randomBytes(16);
  const { key, check } = await keyOf(passphrase, { ...COST, salt: salt.toString('base64') });
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const fixed = { cipher: 'aes-256-gcm', kdf: 'scrypt' } as const;
  return { key, encryption: { ...fixed, ...COST, salt: salt.toString('base64'), nonce, check } };
}

/** @throws ArchiveError WRONG_PASSPHRASE */
export async function keyFor(passphrase: string, encryption: Encryption): Promise<Buffer> {
  const { key, check } = await keyOf(passphrase, encryption);
  const [given, wanted] = [Buffer.from(check, 'base64'), Buffer.from(encryption.check, 'base64')];
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return key;
  throw new ArchiveError('WRONG_PASSPHRASE', 'Wrong passphrase for this archive.');
}

type KeyParameters = Pick<Encryption, 'cost' | 'blockSize' | 'parallelization' | 'salt'>;

/** Twice the bytes of a key: one half encrypts, of the other a hash goes into the archive. */
async function keyOf(passphrase: string, { cost, blockSize, parallelization, salt }: KeyParameters) {
  const options = { cost, blockSize, parallelization, maxmem: LARGEST_MEMORY };
  const text = passphrase.normalize('NFC');
  const bytes = await deriveKey(text, Buffer.from(salt, 'base64'), 2 * KEY_BYTES, options);
  const check = createHash('sha256').update(bytes.subarray(KEY_BYTES)).digest('base64');
  return { key: bytes.subarray(0, KEY_BYTES), check };
}
