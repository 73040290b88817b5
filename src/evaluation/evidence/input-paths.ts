import { existsSync } from 'node:fs'
import { join } from 'node:path'
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

/** Where the inputs of an audit are. */
interface FoundInputs {
  readonly paths: InputPaths
  /** Inputs that are not where the folder says, or of which it does not say where: folders are sent without them. */
  readonly without: readonly (keyof InputPaths)[]
  /** A warning where inputs.json is not as `score` writes it. */
  readonly findings: readonly Finding[]
}

/**
 * Where the inputs are: as given, else where they were, seen from the folder.
 * @param given - a path that leads nowhere is an error of whoever gave it, found where it is read.
 */
export function inputPaths(folder: string, given: Partial<InputPaths>): FoundInputs {
  const file = join(folder, FILES.inputs)
  const { recorded, fault } = readRecorded(folder, file)
  const without: (keyof InputPaths)[] = []
  const path = (name: keyof InputPaths): string => {
    if (given[name] !== undefined) return given[name]
    const seen = recorded[name]
    const isNamed = typeof seen === 'string'
    // A database is where it is, seen from any folder.
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
