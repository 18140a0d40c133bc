import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pluginFolder } from '../assets.js';

/** A skill as it lies in the user's folder: a plugin's name stands before its skills by itself. */
export interface Skill {
  file: string;
  text: string;
}

/** The skills as they are installed below a folder of skills. */
export function skillsFor(skillsFolder: string): Skill[] {
  const source = join(pluginFolder(), 'skills');
  return readdirSync(source)
    .sort()
    .map((name) => ({
      file: join(skillsFolder, `causantic-${name}`, 'SKILL.md'),
      text: readFileSync(join(source, name, 'SKILL.md'), 'utf8').replace(
        /^name: (.*)$/m,
        (_, own: string) => `name: causantic-${own}`,
      ),
    }));
}
