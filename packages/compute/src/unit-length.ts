/** Leaves a zero vector unchanged: a text without known tokens is similar to nothing. */
export function scaleToUnitLength(vector: Float32Array): void {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return;
  const scale = 1 / Math.sqrt(squares);
  for (let j = 0; j < vector.length; j++) vector[j]! *= scale;
}
