import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { readDocument } from '../../document/read.js'
import { historyFiles } from '../../store/shown.js'
import type { InputPaths } from '../open.js'
import { FILES } from './folder.js'
import { readEvidence } from './open.js'

/** The paths of the inputs of a run, relative to its folder. */
export type RecordedInputs = Readonly<Record<keyof InputPaths, string>> & {
  /** True if scoring was forced for candidates whose forecasts seem to have another unit than the outcomes. */
  readonly implausible?: boolean
}

const NAMES = ['registration', 'protocol', 'history', 'outcomes', 'implausible'] as const

/** The text of inputs.json. */
export function inputsText(recorded: RecordedInputs): string {
  return `${JSON.stringify(recorded, NAMES as unknown as string[], 2)}\n`
}

/** The paths of the inputs of an audit. */
interface FoundInputs {
  readonly paths: InputPaths
  /** Inputs that are missing at their recorded path, or have none: folders are often sent without them. */
  readonly without: readonly (keyof InputPaths)[]
  /** A warning if inputs.json is not as `score` writes it. */
  readonly findings: readonly Finding[]
}

/**
 * The paths of the inputs: as given, else as recorded, relative to the folder.
 * @param given - an invalid path is an error of the caller, and is reported when it is read.
 */
export function resolveInputPaths(folder: string, given: Partial<InputPaths>): FoundInputs {
  const file = join(folder, FILES.inputs)
  const { recorded, fault } = readRecorded(folder, file)
  const without: (keyof InputPaths)[] = []
  const path = (name: keyof InputPaths): string => {
    if (given[name] !== undefined) return given[name]
    const seen = recorded[name]
    const isNamed = typeof seen === 'string'
    // The address of a database does not depend on the folder.
    if (isNamed && name === 'history' && historyFiles(seen).length === 0) return seen
    const there = join(folder, isNamed ? seen : `no-${name}`)
    if (!isNamed || !existsSync(there)) without.push(name)
    return there
  }
  return {
    paths: {
      registration: path('registration'),
      protocol: path('protocol'),
      history: path('history'),
      outcomes: path('outcomes'),
    },
    without,
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
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n')
  const sound = text === inputsText(recorded)
  return sound ? { recorded } : { recorded, fault: 'edited' }
}
