import { recordId } from '../../text/text-hash.js';

/** Where in a thread the next item stands. */
export interface ItemPlace {
  /** The turn, or the thread where its records name no turn: both stay the same in a fork's copy. */
  scope: string;
  /** Items counted in this scope. */
  count: number;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Ids for items, most of which have none of their own. A fork's copy of an item gets the same id as its original, in spite
 * of its new time and file.
 */
export class RecordIds {
  constructor(private place: ItemPlace) {}

  state(): ItemPlace {
    return this.place;
  }

  /** A turn begins, or a thread's records: a name that says nothing (as where it was taken out) is passed over. */
  enter(id: string | null): void {
    if (id !== null && UUID.test(id) && id !== this.place.scope) this.place = { scope: id, count: 0 };
  }

  /** @param content tells the item from others at the same place */
  next(content: string): string {
    const id = this.beside(content);
    this.place = { ...this.place, count: this.place.count + 1 };
    return id;
  }

  /** Of what stands before the next item and is not counted. */
  beside(content: string): string {
    const { scope, count } = this.place;
    return recordId(`${scope}\n${count}\n${content}`);
  }
}
