import { type Dirent, existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { parseInstant } from '../../contract/instant.js'
import { folderEntries, readRegular } from '../../files/regular.js'
import { HUB } from './columns.js'
import { ownNameIn } from './config.js'
import { HUB_MODEL } from './names.js'

/** A file of model output with a valid name. */
export interface OutputFile {
  readonly path: string
  readonly round: string
  /** The model's name in a history. */
  readonly model: string
}

/** The name of a Parquet file may include its compression. */
const FILE =
  /^(\d{4}-\d\d-\d\d|\w+)-(\w+-\w+)\.(?:csv|(?:(?:snappy|gzip|gz|brotli|zstd|lz4|lzo|bz2)\.)?parquet)$/
/** A name that starts like a round or ends like a table. Such a file may contain forecasts, so do not ignore it. */
const MAY_BE_OUTPUT =
  /^\d{4}[-_]?\d\d[-_]?\d\d|\.(?:csv|tsv|parquet|pq|arrow|feather|rds|rda|rdata|xlsx?|ndjson|gz|zip|zst|bz2|xz)$/i
const HIDDEN = /^\.[^.]/
const MAX_METADATA = 1_048_576

/**
 * Lists the files of a hub's model output, by model and name, with findings about other files. Links are not followed.
 * @throws {ForeproofError} `not-found` if a folder is not a hub.
 */
export function outputFiles(hub: string): { files: OutputFile[]; findings: Finding[] } {
  const root = join(hub, HUB.output)
  if (!lstatSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ForeproofError('not-found', `${hub}: has no folder ${HUB.output}`, {
      file: hub,
      help: 'Name the folder of a hub.',
    })
  }
  const files: OutputFile[] = []
  const findings: Finding[] = []
  const others: string[] = []
  const refuse = (path: string, fault: ArgsOf<'hub-file'>['fault']) =>
    findings.push(finding('hub-file', { fault }, { file: path }))
  for (const folder of folderEntries(root)) {
    const path = join(root, folder.name)
    if (isOther(folder)) {
      others.push(folder.name)
      continue
    }
    if (!folder.isDirectory()) {
      refuse(path, 'place')
      continue
    }
    if (!HUB_MODEL.test(folder.name)) {
      refuse(path, 'model')
      continue
    }
    const model = outputFileName(hub, folder.name)
    for (const entry of folderEntries(path)) {
      const file = join(path, entry.name)
      const [, round = '', id] = FILE.exec(entry.name) ?? []
      if (isOther(entry)) others.push(`${folder.name}/${entry.name}`)
      else if (!entry.isFile() || id === undefined) refuse(file, 'name')
      else if (id !== folder.name) refuse(file, 'other-model')
      else if (parseInstant(`${round}T00:00:00Z`) === undefined) refuse(file, 'round')
      else files.push({ path: file, round, model })
    }
  }
  const isEmpty = files.length + findings.length === 0
  const say = (args: ArgsOf<'exchange-unread'>, severity: 'note' | 'warning') =>
    findings.push(finding('exchange-unread', args, { file: root, severity }))
  if (others.length > 0) say({ fault: 'files', rows: others.length, names: others }, 'note')
  if (isEmpty) say({ fault: 'empty', rows: 0, names: [] }, 'warning')
  return { files, findings }
}

/** Whether an entry of a hub contains no forecasts: a readme, or files of systems and editors. */
function isOther(entry: Dirent): boolean {
  const { name } = entry
  if (HIDDEN.test(name)) return true
  const mayBeModel = entry.isDirectory() || (!entry.isFile() && HUB_MODEL.test(name))
  return !mayBeModel && !MAY_BE_OUTPUT.test(name)
}

/** The name of a model for a history: from its metadata if given there, otherwise its id. */
function outputFileName(hub: string, id: string): string {
  const file = join(hub, HUB.metadata, `${id}.yml`)
  if (!existsSync(file)) return id
  return ownNameIn(readRegular(file, MAX_METADATA, { links: 'refuse' }).toString('utf8')) ?? id
}
