import { execFileSync, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { ROOT } from './run.js'

const HERE = join(ROOT, 'python')
/** The Python of the system, which has what .ci/prepare brings. */
export const PYTHON = '/usr/bin/python3'

const versionOf = (python: string) =>
  execFileSync(python, ['-c', 'import sys; print("3.%d" % sys.version_info[1])'], {
    encoding: 'utf8',
  }).trim()

/** Every Python from 3.10 on that is here, by its version; that of the system where two are alike. */
export function pythons(): [version: string, path: string][] {
  const found = [
    ...globSync(join(homedir(), '.pyenv/versions/3.*/bin/python3'), { absolute: true }),
    ...globSync('/usr/{,local/}bin/python3.+([0-9])', { absolute: true }),
    PYTHON,
  ]
  const byVersion = new Map(found.map((path) => [versionOf(path), path]))
  return [...byVersion].filter(([version]) => Number(version.slice(2)) >= 10).sort()
}

/** Runs the package in `python/`. @returns what it says, and its exit code. */
export function runPackage(
  args: readonly string[],
  { python = PYTHON, env = {} }: { python?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(python, ['-B', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: join(HERE, 'tests'),
      env: { ...process.env, PYTHONPATH: join(HERE, 'src'), ...env },
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, said }))
  })
}
