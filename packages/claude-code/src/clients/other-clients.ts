import { ConfigError } from '@causantic/domain';
import type { ClientPlace, OtherClient, Registration } from './client.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';

const CLIENTS = [codex, gemini];

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
export function attachments(place: ClientPlace): Attachment[] {
  return otherClients(place.env)
    .filter((client) => registrationOf(client, place) === undefined)
    .map((client) => ({ title: client.title, command: client.attach(place), note: client.note }));
}

/** How to take the server out of those that start it. */
export function detachments(place: ClientPlace): Attachment[] {
  return otherClients(place.env).flatMap((client) => {
    const known = registrationOf(client, place);
    return known ? [{ title: client.title, command: known.detach, note: known.file }] : [];
  });
}

/** Settings that cannot be read are the doctor's to tell of: what is done for another client goes on. */
function registrationOf(client: OtherClient, place: ClientPlace): Registration | undefined {
  try {
    return client.registration(place);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}
