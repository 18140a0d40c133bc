import type { RegexLanguage } from '../regex-language.js';
import { dart } from './dart.js';
import { elixir } from './elixir.js';
import { haskell } from './haskell.js';
import { kotlin } from './kotlin.js';
import { lua } from './lua.js';
import { perl } from './perl.js';
import { r } from './r.js';
import { scala } from './scala.js';
import { swift } from './swift.js';
import { zig } from './zig.js';

/** By language name. */
export const REGEX_LANGUAGES: Readonly<Record<string, RegexLanguage>> = {
  scala,
  kotlin,
  swift,
  haskell,
  lua,
  dart,
  zig,
  elixir,
  perl,
  r,
};
