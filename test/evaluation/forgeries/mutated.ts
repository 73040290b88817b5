import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { numbers } from '../../support/random.js'
import type { Forger, OpenResult } from '../forger.js'

type Random = () => number
const pick = <T>(all: readonly T[], random: Random): T =>
  all[Math.floor(random() * all.length)] as T

/** The files of a folder, without the history, which no browser reads. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter(
      (path) => statSync(path).isFile() && !path.includes('.sqlite') && !/\/second\//.test(path),
    )
    .sort()

/** One byte of one file, which stays a letter or digit where it was one. */
function oneByte(at: Forger, random: Random): void {
  const path = pick(filesIn(at.world), random)
  const bytes = readFileSync(path)
  if (bytes.length === 0) return
  const place = Math.floor(random() * bytes.length)
  bytes[place] = (bytes[place] as number) ^ (1 + Math.floor(random() * 3))
  writeFileSync(path, bytes)
}

type Slot = readonly [of: Record<string, unknown>, key: string]
function slotsIn(of: unknown): Slot[] {
  if (typeof of !== 'object' || of === null) return []
  const own = of as Record<string, unknown>
  return Object.keys(own).flatMap((key) => [[own, key] as const, ...slotsIn(own[key])])
}

const changed = (value: unknown): unknown => {
  if (typeof value === 'number') return value === 0 ? 0.25 : value * 1.5
  if (typeof value === 'string') return `${value}x`
  return typeof value === 'boolean' ? !value : 0
}

/** Changes a result with every digest that names it, or with its own alone where no report can be drawn of it. */
async function sealed(at: Forger, change: (result: OpenResult) => void): Promise<void> {
  try {
    at.result(change)
    await at.seal()
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
  }
}

/** One member of the result. */
async function oneMember(at: Forger, random: Random): Promise<void> {
  await sealed(at, (result) => {
    const [of, key] = pick(
      slotsIn(result).filter(([own, name]) => typeof own[name] !== 'object'),
      random,
    )
    of[key] = changed(of[key])
  })
}

async function oneMemberLess(at: Forger, random: Random): Promise<void> {
  await sealed(at, (result) => {
    const [of, key] = pick(slotsIn(result), random)
    if (Array.isArray(of)) of.splice(Number(key), 1)
    else delete of[key]
  })
}

/** A reading that nobody made, which says that all is well. */
async function secondReading(at: Forger): Promise<void> {
  at.result((result) => {
    const dispositions = result.reading.dispositions?.map((each) => ({
      ...each,
      disposition: 'eligible_for_human_review' as const,
    }))
    const reading = { ...result.reading, dispositions: dispositions ?? null }
    result.second_reading = { late: 3, counts_for: [], reading }
    result.reading = reading
  })
  await at.seal()
}

/** One member of one attempt, or the whole of it, with every digest that names the pairs. */
async function onePair(at: Forger, random: Random): Promise<void> {
  at.pairs((text) => {
    const lines = text.split('\n')
    const line = Math.floor(random() * (lines.length - 1))
    const attempt = JSON.parse(lines[line] as string)
    const key = pick(Object.keys(attempt), random)
    attempt[key] = changed(attempt[key])
    const put = random() < 0.3 ? [] : [JSON.stringify(attempt)]
    return lines.toSpliced(line, 1, ...put).join('\n')
  })
  await at.seal()
}

function oneFileLess(at: Forger, random: Random): void {
  const kept = /result\.json$/
  rmSync(
    pick(
      filesIn(at.world).filter((path) => !kept.test(path)),
      random,
    ),
  )
}

const MUTATIONS = [oneByte, oneMember, oneMemberLess, secondReading, onePair, oneFileLess] as const

/** Changes a folder in a way that its number decides: the same in every run. @returns what was done. */
export async function mutate(at: Forger, number: number): Promise<string> {
  const mutation = MUTATIONS[number % MUTATIONS.length] as (typeof MUTATIONS)[number]
  const random = numbers(1000 + number)
  await mutation(at, random)
  return mutation.name
}
