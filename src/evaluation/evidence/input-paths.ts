import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { readDocument } from '../../document/read.js'
import { historyFiles } from '../../store/shown.js'
import type { InputPaths } from '../load.js'
import { FILES } from './folder.js'
import { readEvidence } from './open.js'

/** Where the inputs of a run lay, seen from its folder; null for a history that was not read. */
export type RecordedInputs = Readonly<Record<keyof InputPaths, string | null>> & {
  /** True where candidates were to be scored whose forecasts seem to be in another unit than the outcomes. */
  readonly implausible?: boolean
}

const NAMES = ['registration', 'protocol', 'history', 'outcomes', 'implausible'] as const

/** The text of inputs.json. */
export function inputsText(recorded: RecordedInputs): string {
  return `${JSON.stringify(recorded, NAMES as unknown as string[], 2)}\n`
}

/**
 * Where the inputs are: as given, else where they were, seen from the folder.
 * @returns the paths, and a warning where inputs.json is not as `score` writes it.
 * @throws {ForeproofError} `usage` or `not-found` when an input is not given and cannot be found.
 */
export function inputPaths(
  folder: string,
  given: Partial<InputPaths>,
): { readonly paths: InputPaths; readonly findings: readonly Finding[] } {
  const file = join(folder, FILES.inputs)
  const { recorded, fault } = readRecorded(folder, file)
  const path = (name: keyof InputPaths): string => {
    if (given[name] !== undefined) return given[name]
    const seen = recorded[name]
    if (seen === null && name === 'history') return join(folder, 'no-history')
    if (typeof seen === 'string') {
      if (name === 'history' && historyFiles(seen).length === 0) return seen
      const there = join(folder, seen)
      if (existsSync(there)) return there
      throw new ForeproofError('not-found', `${there}: no such ${name}`, {
        file: there,
        help: `It was there at the time of scoring. Name the path where it is now with --${name} PATH.`,
      })
    }
    throw new ForeproofError('usage', `the path of the ${name} of ${folder} is unknown`, {
      file,
      help: `${FILES.inputs} does not name it. Give it with --${name} PATH.`,
    })
  }
  return {
    paths: {
      registration: path('registration'),
      protocol: path('protocol'),
      history: path('history'),
      outcomes: path('outcomes'),
    },
    findings: fault === undefined ? [] : [finding('inputs-file-differs', { fault }, { file })],
  }
}

function readRecorded(
  folder: string,
  file: string,
): { recorded: Partial<RecordedInputs>; fault?: 'gone' | 'edited' } {
  if (!existsSync(file)) return { recorded: {}, fault: 'gone' }
  const bytes = readEvidence(folder, FILES.inputs)
  const document = readDocument(bytes, file)
  const value = document.ok ? document.value : undefined
  if (typeof value !== 'object' || value === null) return { recorded: {}, fault: 'edited' }
  const recorded = value as RecordedInputs
  const sound = bytes.equals(Buffer.from(inputsText(recorded)))
  return sound ? { recorded } : { recorded, fault: 'edited' }
}
