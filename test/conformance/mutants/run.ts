import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type CheckDeploymentOptions, checkDeployment } from '../../../src/conformance/run.js'
import type { RuleName } from '../../../src/contract/conformance-rules.js'
import { formatMessage } from '../../../src/contract/findings/finding.js'
import { CHECKSUMS_FILE } from '../../../src/site/layout.js'
import { behind, type Change } from './proxy.js'
import { KEY, type World } from './world.js'

/** The rules that a deployment breaks, each with what was seen first. */
export async function broken(
  target: string,
  options: CheckDeploymentOptions = {},
): Promise<Partial<Record<RuleName, string>>> {
  const { verdicts, findings } = await checkDeployment(target, options)
  // Reports link to the place of a finding.
  const isAddress = /^https?:/.test(target)
  for (const { file } of isAddress ? findings : []) expect(file).toMatch(/^https?:[^ ]+$/)
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed').map(({ rule }) => rule)
  return Object.fromEntries(
    failed.map((rule) => {
      const first = findings.find(({ code }) => code === `conformance-${rule}`)
      return [
        rule,
        first ? `${formatMessage(first).text} (${first.file}${first.pointer ?? ''})` : '',
      ]
    }),
  )
}

/** The rules that a service breaks whose answers are changed. */
export async function brokenBehind(
  world: World,
  change: Change,
  options: CheckDeploymentOptions = {},
): Promise<Partial<Record<RuleName, string>>> {
  const proxy = await behind(world.service, change)
  try {
    return await broken(proxy.url, { key: KEY, ...options })
  } finally {
    proxy.close()
  }
}

/** The rules that a copy of the site breaks when its files are changed. */
export async function brokenCopy(
  world: World,
  change: (folder: string) => unknown,
  withChecksums = false,
): Promise<Partial<Record<RuleName, string>>> {
  const copy = world.copy()
  try {
    // They name any change, of any kind.
    if (!withChecksums) rmSync(join(copy, CHECKSUMS_FILE))
    change(copy)
    return await broken(copy, { previous: world.site })
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** That what is wrong was named by the rules that it breaks. */
export function expectNamed(rules: RuleName | readonly RuleName[], found: object): void {
  expect(Object.keys(found)).toEqual(expect.arrayContaining([rules].flat()))
}
