import { existsSync } from 'node:fs';
import { SetupError, lastLines, reportLine, runCommand, secondsSince } from './report.mjs';

/**
 * Whether this program may install Debian packages: when it was asked to, or where nobody sits who could
 * be asked (root without a terminal: a container, a CI job). Never behind a person's back.
 *
 * @param {boolean} wasAsked `--with-system-packages` was given
 */
export function mayInstallSystemPackages(wasAsked) {
  if (!isDebian() || process.getuid?.() !== 0) return false;
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  return wasAsked || !hasTerminal;
}

/** Debian, or one of its kind: what its packages are called and how they are installed is known here. */
export function isDebian() {
  return process.platform === 'linux' && existsSync('/usr/bin/apt-get');
}

/** @param {string[]} packages */
export function systemPackagesCommand(packages) {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  return `${sudo}apt-get install -y --no-install-recommends ${packages.join(' ')}`;
}

/**
 * Installs Debian packages; the package lists are fetched only when they lack one.
 *
 * @param {string[]} packages
 */
export async function installSystemPackages(packages) {
  const startedAt = performance.now();
  reportLine('apt-get', `installing ${packages.join(' ')} …`);
  const install = () => aptGet(['install', '-y', '--no-install-recommends', ...packages]);
  let result = await install();
  if (!result.ok) {
    await aptGet(['update']);
    result = await install();
  }
  if (!result.ok) {
    throw new SetupError(`apt-get could not install ${packages.join(' ')}.\n${lastLines(result.output, 15)}`);
  }
  reportLine('apt-get', `installed ${packages.join(' ')} (${secondsSince(startedAt)})`);
}

/** @param {string[]} args */
function aptGet(args) {
  // Another apt-get (unattended upgrades) may hold the lock: wait for it rather than fail.
  return runCommand('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/**
 * Makes sure that native code can be compiled with node-gyp.
 *
 * @param {boolean} mayInstall
 */
export async function ensureCompiler(mayInstall) {
  if (process.platform === 'win32') return;
  const missing = await missingBuildTools();
  if (missing.length === 0) return;
  const packages = missing.map((tool) => tool.debianPackage);
  if (mayInstall) return installSystemPackages(packages);
  throw new SetupError(
    `Native code must be compiled, but these tools are missing: ${missing.map((tool) => tool.name).join(', ')}.\n` +
      howToInstall(packages),
  );
}

/** @param {string[]} packages by Debian's names, which are Alpine's as well */
function howToInstall(packages) {
  if (process.platform === 'darwin') return "Install Apple's command line tools: xcode-select --install";
  if (existsSync('/sbin/apk')) return `On Alpine: apk add ${packages.join(' ')}`;
  return `On Debian or Ubuntu: ${systemPackagesCommand(packages)}`;
}

async function missingBuildTools() {
  const tools = [
    {
      name: `a C++ compiler (${cxxCommand().join(' ')})`,
      debianPackage: 'g++',
      command: [...cxxCommand(), '--version'],
    },
    { name: 'make', debianPackage: 'make', command: [process.env['MAKE'] ?? 'make', '--version'] },
    {
      name: 'Python 3',
      debianPackage: 'python3',
      command: [process.env['PYTHON'] ?? 'python3', '--version'],
    },
  ];
  const found = await Promise.all(tools.map(({ command: [name = '', ...args] }) => runCommand(name, args)));
  return tools.filter((_, index) => !found[index]?.ok);
}

/** The C++ compiler as words: `CXX` may hold a compiler cache before it, or options behind it. */
export function cxxCommand() {
  return (process.env['CXX'] ?? 'c++').trim().split(/\s+/);
}
