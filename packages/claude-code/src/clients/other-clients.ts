import { ConfigError } from '@causantic/domain';
import type { ClientPlace, OtherClient, Registration } from './client.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { jsonClients } from './json-clients.js';

const CLIENTS = [codex, gemini, ...jsonClients];

/** The clients on this machine that their own commands attach. */
export function otherClients(env: NodeJS.ProcessEnv): OtherClient[] {
  return CLIENTS.filter((client) => client.isThere(env));
}

export interface Attachment {
  title: string;
  /** The client's own command. */
  command: string;
  note: string;
}

/** How to attach those that are there and do not start the server yet. */
export async function attachments(place: ClientPlace): Promise<Attachment[]> {
  const found = await registrations(place);
  return found
    .filter(({ registration }) => registration === undefined)
    .map(({ client: { title, attach, note } }) => ({ title, command: attach(place), note }));
}

/** How to take the server out of those that start it. */
export async function detachments(place: ClientPlace): Promise<Attachment[]> {
  const found = await registrations(place);
  return found.flatMap(({ client: { title }, registration }) =>
    registration ? [{ title, command: detaching(registration), note: registration.file }] : [],
  );
}

/** What to run, or to do by hand. */
export function detaching({ detach, file }: Registration): string {
  return detach ?? `remove causantic from ${file}`;
}

interface Found {
  client: OtherClient;
  registration: Registration | undefined;
}

function registrations(place: ClientPlace): Promise<Found[]> {
  return Promise.all(
    otherClients(place.env).map(async (client) => ({
      client,
      registration: await client.registration(place).catch(unlessUnreadable),
    })),
  );
}

/** Those whose server finds their transcripts, and reads what is new when they start it. */
export async function readers(place: ClientPlace): Promise<Pick<OtherClient, 'name' | 'title'>[]> {
  const found = await registrations(place);
  return found
    .filter(({ registration }) => registration && !registration.switchedOff && !registration.unseenFolder)
    .map(({ client }) => client);
}

/** Settings that cannot be read are the doctor's to tell of: what is done for another client goes on. */
function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof ConfigError)) throw error;
}
