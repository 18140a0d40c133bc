/** Loaded before a program (`node --import`): its last line on stderr says what it used. */
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(
    2,
    `\n${JSON.stringify({ maxRssKilobytes: maxRSS, cpuMicroseconds: userCPUTime + systemCPUTime })}\n`,
  );
});
