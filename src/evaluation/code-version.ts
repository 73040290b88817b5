import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fileError } from '../contract/error.js'
import { canonicalize } from '../document/canonical.js'
import type { CodeVersion } from './result/result.js'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Only modules: declarations and source maps do not run. */
const MODULE = /\.(?:js|ts|json)$/
const DECLARATION = /\.d\.ts$/

function modules(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => MODULE.test(path) && !DECLARATION.test(path))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
}

/**
 * Identifies this foreproof: the version of the package, and a SHA-256 over its pinned dependencies and every module
 * that it runs (path and content, in the order of their code units). Line endings and the install location do not
 * matter, so one release has one digest everywhere.
 * @throws {ForeproofError} `io` if the package cannot be read.
 */
export function readCodeVersion(): CodeVersion {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const manifestFile = fileURLToPath(new URL('../../package.json', import.meta.url))
  try {
    const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
    const { name, version } = manifest
    const dependencies = { ...manifest.dependencies, ...manifest.optionalDependencies }
    const hash = createHash('sha256')
    hash.update(canonicalize({ name, version, dependencies }))
    for (const path of modules(root)) {
      const text = readFileSync(`${root}/${path}`, 'utf8').replaceAll('\r\n', '\n')
      hash.update(`\n${path}\n${createHash('sha256').update(text).digest('hex')}`)
    }
    return { name, version, sha256: hash.digest('hex') }
  } catch (cause) {
    throw fileError(cause, root)
  }
}
