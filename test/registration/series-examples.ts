import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTimestamp } from '../../src/contract/instant.js'
import type { Plan, SeriesProtocol } from '../../src/contract/types.js'
import { digestWithout } from '../../src/document/digest.js'
import { describePeriods, type PeriodList } from '../../src/periods/list.js'
import { openPeriods } from '../../src/periods/read.js'
import { withDigest } from '../../src/protocol/rules/check.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'

export const EXAMPLES = ['hourly', 'sessions', 'load', 'weekly', 'daily'] as const
export type Example = (typeof EXAMPLES)[number]

export const exampleFolder = (name: Example) => join(ROOT, 'templates', 'series', name)
const readJson = (name: Example, file: string) =>
  JSON.parse(readFileSync(join(exampleFolder(name), file), 'utf8'))

export const exampleDraft = (name: Example) => readJson(name, 'draft.json')
export const examplePlan = (name: Example): Plan => readJson(name, 'plan.json')

/** All five plans begin after it. */
export const BEFORE = instant('2026-11-20T00:00:00Z')

export function instant(text: string) {
  const parsed = parseTimestamp(text)
  if (!parsed.ok) throw new Error(text)
  return parsed.instant
}

/** The list of an example, made by the command that its draft names, as a file. */
export async function makeList(name: Example, file: string): Promise<PeriodList> {
  const { made_by: line } = exampleDraft(name).periods
  const words = line.replace(/^foreproof /, '').split(' ') as string[]
  const here = words.map((word) => (word.endsWith('.csv') ? join(exampleFolder(name), word) : word))
  const made = await inProcess([...here, '--out', file])
  if (made.code !== 0) throw new Error(made.stdout + made.stderr)
  const list = await openPeriods(file)
  if (!list.ok) throw new Error(JSON.stringify(list.findings))
  return list.periods
}

/** An example, frozen with its list. */
export async function exampleOf(name: Example) {
  const periods = await makeList(name, join(temporaryFolder(), 'periods.csv'))
  return { plan: examplePlan(name), periods, protocol: exampleProtocol(name, periods) }
}

/** The draft of an example as it is frozen with its list. */
export function exampleProtocol(name: Example, periods: PeriodList): SeriesProtocol {
  const draft = exampleDraft(name)
  const whole = { ...draft, periods: { ...describePeriods(periods), ...draft.periods } }
  const digest = digestWithout(whole, 'protocol_sha256')
  return withDigest(whole, digest) as unknown as SeriesProtocol
}
