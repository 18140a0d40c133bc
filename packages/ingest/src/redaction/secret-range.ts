/** A secret's place in a text. */
export interface SecretRange {
  kind: string;
  start: number;
  end: number;
}
