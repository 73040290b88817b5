import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { readRegular } from '../../files/regular.js'
import { HUB } from './columns.js'
import { ownNameIn } from './config.js'
import { HUB_MODEL } from './model-id.js'
import { originOfRound } from './round-id.js'

/** A file of model output that is named as it has to be. */
export interface OutputFile {
  readonly path: string
  readonly round: string
  /** As a history calls it. */
  readonly model: string
}

const FILE = /^(\d{4}-\d\d-\d\d|\w+)-(\w+-\w+)\.(?:csv|parquet)$/
const MAX_METADATA = 1_048_576

/**
 * The files of model output of a hub, by model and name, and what is wrong with others. Links are not followed.
 * @throws {ForeproofError} `not-found` where a folder is no hub.
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
  const refuse = (path: string, fault: ArgsOf<'hub-file'>['fault']) =>
    findings.push(finding('hub-file', { fault }, { file: path }))
  for (const folder of entriesOf(root)) {
    const path = join(root, folder.name)
    if (!folder.isDirectory()) {
      if (folder.name !== 'README.md') refuse(path, 'place')
      continue
    }
    if (!HUB_MODEL.test(folder.name)) {
      refuse(path, 'model')
      continue
    }
    const model = nameOf(hub, folder.name)
    for (const entry of entriesOf(path)) {
      const file = join(path, entry.name)
      const [, round = '', id] = FILE.exec(entry.name) ?? []
      if (!entry.isFile() || id === undefined) refuse(file, 'name')
      else if (id !== folder.name) refuse(file, 'other-model')
      else if (originOfRound(round) === undefined) refuse(file, 'round')
      else files.push({ path: file, round, model })
    }
  }
  return { files, findings }
}

function entriesOf(folder: string) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (cause) {
    throw fileError(cause, folder)
  }
}

/** The name of a model in its history, where its metadata give one; otherwise the id. */
function nameOf(hub: string, id: string): string {
  const file = join(hub, HUB.metadata, `${id}.yml`)
  if (!existsSync(file)) return id
  return ownNameIn(readRegular(file, MAX_METADATA, { links: 'refuse' }).toString('utf8')) ?? id
}
