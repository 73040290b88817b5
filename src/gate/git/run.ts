import { spawnSync } from 'node:child_process'
import { ForeproofError } from '../../contract/error.js'

/**
 * Restricts git to this repository: no network (not even for missing objects of a partial clone), no replaced or
 * grafted history, no locks, no globbing, no translated messages.
 */
const ENVIRONMENT = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
}

/**
 * The only git variables passed on: the location of a hook, and settings (such as `safe.directory`). Others can show
 * another history, such as GIT_SHALLOW_FILE, GIT_OBJECT_DIRECTORY and GIT_NAMESPACE.
 */
const PASSED_ON =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|PARAMETERS|COUNT|KEY_\d+|VALUE_\d+))$/i

/**
 * Disable caches of object data and helper programs, because they may disagree with the objects.
 */
const SETTINGS = [
  'core.quotePath=false',
  'core.commitGraph=false',
  'core.multiPackIndex=false',
  'core.fsmonitor=false',
].flatMap((setting) => ['-c', setting])

function gitEnvironment(): NodeJS.ProcessEnv {
  const variables = Object.entries(process.env)
  const kept = variables.filter(([name]) => !/^GIT_/i.test(name) || PASSED_ON.test(name))
  return { ...Object.fromEntries(kept), ...ENVIRONMENT }
}

export interface GitResult {
  readonly status: number
  readonly stdout: Buffer
  readonly stderr: string
}

/**
 * Runs git and gives back its answer, also a failure.
 * @throws {ForeproofError} `unavailable` when there is no git.
 */
export function tryGit(cwd: string, args: readonly string[], input?: string): GitResult {
  const result = spawnSync('git', [...SETTINGS, ...args], {
    cwd,
    input: input ?? '',
    env: gitEnvironment(),
    maxBuffer: Number.POSITIVE_INFINITY,
    windowsHide: true,
  })
  if (result.error !== undefined) {
    const absent = (result.error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new ForeproofError(
      'unavailable',
      absent ? 'git was not found' : `git could not be run: ${result.error.message}`,
      { help: 'Install git and make sure that it is on the PATH.', cause: result.error },
    )
  }
  return {
    status: result.status ?? -1,
    stdout: result.stdout,
    stderr: result.stderr.toString('utf8').trim(),
  }
}

/**
 * Runs git and gives back its output.
 * @throws {ForeproofError} `unavailable` when it fails, with git's own words.
 */
export function git(cwd: string, args: readonly string[], input?: string): Buffer {
  const result = tryGit(cwd, args, input)
  if (result.status === 0) return result.stdout
  const message = result.stderr.split('\n')[0] || `ended with status ${result.status}`
  const owner = /dubious ownership/.test(result.stderr)
  const missing = /promisor|missing|unable to read|bad object|not a valid object/i.test(message)
  throw new ForeproofError('unavailable', `git ${args[0]}: ${message}`, {
    help: owner
      ? 'Tell git that you trust this folder: git config --global --add safe.directory PATH'
      : missing
        ? 'The clone lacks parts of its history: git fetch --unshallow (in GitHub Actions: fetch-depth: 0), and no --filter.'
        : 'Run the same git command to see more.',
  })
}

/** One line of output, without its end; undefined when git failed. */
export function gitLine(cwd: string, args: readonly string[]): string | undefined {
  const result = tryGit(cwd, args)
  return result.status === 0 ? result.stdout.toString('utf8').replace(/\r?\n$/, '') : undefined
}

/** NUL-terminated output as texts. */
export function splitNul(output: Buffer): string[] {
  const parts = output.toString('utf8').split('\0')
  parts.pop()
  return parts
}
