import { expect, it } from 'vitest';
import { nameWeight } from '../src/ranks/name-weight.js';

it('says next to nothing of what every object answers to, and of what the standard library opens', () => {
  // `def new` of a controller is not what `User.new` calls, and `namespace std` is not what `std::move` is of.
  for (const name of ['toString', 'indexOf', 'hashCode', 'new', 'std'])
    expect(nameWeight(name)).toBeLessThan(0.05);
  // What a file passes on is divided by the weight of all that it mentions.
  for (const name of ['toString', '_x', 'i']) expect(nameWeight(name)).toBeGreaterThan(0);
  expect(nameWeight('now')).toBeGreaterThan(0.1);
});

it('says less of what is private', () => {
  for (const name of ['#saveRecord', '_saveRecord'])
    expect(nameWeight(name)).toBeLessThan(nameWeight('saveRecord') / 2);
});
