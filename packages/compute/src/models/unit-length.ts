/** Makes zeros of what has no direction, or components that are not finite: such a text is similar to nothing. */
export function scaleToUnitLength(vector: Float32Array): void {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  if (scale === 0) vector.fill(0);
  else for (let j = 0; j < vector.length; j++) vector[j]! *= scale;
}
