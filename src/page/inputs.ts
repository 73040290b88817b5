import { isObject, objectIn } from '../contract/is-object.js'
import { FILES } from '../evaluation/evidence/folder.js'
import type { InputPaths } from '../evaluation/open.js'
import { isExported } from '../store/exported.js'
import { existsSync, type Given, readFileSync } from './stand-ins/fs.js'
import { basename, dirname, join } from './stand-ins/path.js'

type Input = keyof InputPaths

/**
 * Default paths of inputs, if a folder does not name them. If the folder names a database as the history, its export is
 * expected in the same folder.
 */
const USUAL: Readonly<Record<Input, string>> = {
  registration: 'registration.json',
  protocol: 'protocols',
  outcomes: 'vintage',
  history: 'history.ndjson',
}
const NAMES = Object.keys(USUAL) as readonly Input[]

/** Paths of the inputs of evidence among the given files; for missing inputs, paths that do not exist. */
export interface GivenInputs {
  readonly paths: Readonly<Record<Input, string>>
  readonly without: readonly Input[]
}

/**
 * Finds the inputs of an evidence folder: first those given separately, then those at recorded paths, then by content.
 */
export function findInputs(folder: string, given: Given): GivenInputs {
  const search = new Search(folder, given)
  const located = NAMES.map((name) => [name, search.find(name)] as const)
  const nowhere = (name: Input) => join(folder, `no-${name}`)
  return {
    paths: Object.fromEntries(
      located.map(([name, path]) => [name, path ?? nowhere(name)]),
    ) as GivenInputs['paths'],
    without: located.flatMap(([name, path]) => (path === undefined ? [name] : [])),
  }
}

class Search {
  readonly #recorded: Readonly<Record<string, unknown>>
  readonly #paths: readonly string[]

  constructor(
    private readonly folder: string,
    private readonly given: Given,
  ) {
    this.#recorded = jsonAt(join(folder, FILES.inputs)) ?? {}
    const folders = [...given.keys()].flatMap(foldersAbove)
    this.#paths = [...new Set([...given.keys(), ...folders])]
  }

  find(name: Input): string | undefined {
    // An input that readers give separately is their own; the others come from the author.
    const atRoot = `/${USUAL[name]}`
    if (this.#is(name, atRoot)) return atRoot
    const recorded = this.#recorded[name]
    const usual = typeof recorded === 'string' ? recorded : USUAL[name]
    const isDatabase = name === 'history' && !isExported(usual)
    const usualPath = join(this.folder, isDatabase ? join(dirname(usual), USUAL.history) : usual)
    // A renamed evidence folder may have the name that an input had next to it.
    const isItself = usualPath === this.folder && usual !== '.'
    if (existsSync(usualPath) && !isItself) return usualPath
    if (isDatabase && dirname(usualPath) !== '/' && existsSync(dirname(usualPath))) {
      // Above the folder that contains both evidence and database, an export belongs to another history.
      const top = sharedFolder(this.folder, usualPath)
      const folders = [...foldersAbove(usualPath), dirname(usualPath)].filter((each) =>
        isWithin(each, top),
      )
      return folders.map((each) => join(each, USUAL.history)).find((each) => this.#is(name, each))
    }
    return this.#findBest(name, usual)
  }

  /** Whether a path has the form of an input. */
  #is(name: Input, path: string): boolean {
    if (name === 'protocol') return existsSync(join(path, 'ledger.jsonl'))
    if (name === 'outcomes') return existsSync(join(path, 'manifest.json'))
    return Boolean(this.given.get(path)) && (name !== 'history' || isExported(path))
  }

  /**
   * The input with the digest that the result names; otherwise the one whose path shares most of its end with the
   * recorded one.
   */
  #findBest(name: Input, recorded: string): string | undefined {
    const names = [basename(recorded), USUAL[name]]
    const isMeant = (path: string) =>
      name === 'protocol' || name === 'outcomes' || names.includes(basename(path))
    const matching = this.#paths.filter((path) => isMeant(path) && this.#is(name, path))
    const wanted = this.#findDigest(name)
    const isWanted = (path: string) => wanted !== undefined && wanted === digestAt(name, path)
    const rank = (path: string) => (isWanted(path) ? 1000 : 0) + countSharedParts(path, recorded)
    const ranked = matching.map((path) => ({ path, rank: rank(path) }))
    ranked.sort((a, b) => b.rank - a.rank || a.path.length - b.path.length)
    return ranked[0]?.path
  }

  /** The digest of an input that the result names; undefined if it names none. */
  #findDigest(name: Input): unknown {
    const { inputs } = jsonAt(join(this.folder, FILES.result)) ?? {}
    const of = isObject(inputs) && (name === 'outcomes' ? inputs.vintage : inputs[name])
    return isObject(of) ? of.sha256 : undefined
  }
}

const jsonAt = (path: string) => (existsSync(path) ? objectIn(readFileSync(path)) : undefined)

/** The digest that identifies a vintage or registration; undefined for other inputs. */
function digestAt(name: Input, path: string): unknown {
  if (name === 'outcomes') return jsonAt(join(path, 'manifest.json'))?.sha256
  return name === 'registration' ? jsonAt(path)?.registration_sha256 : undefined
}

/** The parent folders of a path, without the root, outermost first. */
function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`)
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

function sharedFolder(one: string, other: string): string {
  return foldersAbove(one).findLast((each) => isWithin(other, each)) ?? ''
}

/** Number of equal parts at the end of two paths. */
function countSharedParts(path: string, other: string): number {
  const [ours, theirs] = [path.split('/').reverse(), other.split('/').reverse()]
  const parted = ours.findIndex((part, at) => part !== theirs[at])
  return parted === -1 ? ours.length : parted
}
