/// <reference lib="dom" />
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { CodeVersion } from '../../src/evaluation/result/result.js'
import { scoreWorld } from '../evaluation/score-into.js'
import type { World } from '../evaluation/world.js'
import { ROOT } from '../support/run.js'

export const PAGE = join(ROOT, 'dist/verify.html')

export async function codeOfBuild(): Promise<CodeVersion> {
  const { readCodeVersion } = await import(join(ROOT, 'dist/evaluation/code-version.js'))
  return readCodeVersion()
}

/** Scores as the built program does, whose digest the page has. */
export async function scored(world: World, ...names: string[]): Promise<World> {
  const code = await codeOfBuild()
  for (const name of names) {
    const done = await scoreWorld(world, name, { code })
    if (!done.ok) throw new Error(JSON.stringify(done.findings))
  }
  return world
}

/** What the page shows once it is done. */
export const SHOWN = `
  if (!document.getElementById('work').hidden) return null
  const answer = document.getElementById('answer')
  if (answer.textContent === '') {
    const says = document.getElementById('status').textContent
    return says === 'Reading.' || says === '' ? null : { status: says, links: [] }
  }
  const texts = (of, inside) => [...of.querySelectorAll(inside)].map((each) => each.textContent)
  return {
    status: document.getElementById('status').textContent,
    heading: answer.querySelector('h2').textContent,
    links: [...answer.querySelectorAll('.link')].map((each) => [each.className.slice(5), ...texts(each, 'b, .finding code')]),
    codes: texts(answer, ':scope > .finding code'),
    facts: texts(answer, 'dd code'),
    loaded: performance.getEntriesByType('resource').map(({ name }) => name.slice(0, 5)),
  }`

export interface Shown {
  readonly status: string
  readonly heading?: string
  readonly links: readonly string[][]
  readonly codes?: readonly string[]
  readonly facts?: readonly string[]
  readonly loaded?: readonly string[]
}

/** Asks until the page is done. */
export async function shownBy(ask: () => Promise<Shown | null>): Promise<Shown> {
  for (const end = Date.now() + 100_000; Date.now() < end; ) {
    const shown = await ask()
    if (shown !== null) return shown
    await later(50)
  }
  throw new Error('no answer')
}

// The page allows no text to become a function, but the inspector of the browser.
export const shownIn = (page: Page) => shownBy(() => page.evaluate(`(() => {${SHOWN}})()`))

export const states = ({ links }: Shown) => links.map(([state]) => state)
