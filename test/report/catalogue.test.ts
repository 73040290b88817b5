import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MESSAGE_TABLES, messageOf } from '../../src/contract/findings/messages.js'

const page = readFileSync(new URL('../../docs/findings.md', import.meta.url), 'utf8')
const documented = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, code]) => code as string)
const known = MESSAGE_TABLES.flatMap((table) => Object.keys(table))

describe('docs/findings.md', () => {
  it('lists every code there is (else: npm run build && node .ci/findings.mjs)', () => {
    expect(known.filter((code) => !documented.includes(code))).toEqual([])
  })

  it('lists no code that is gone', () => {
    expect(documented.filter((code) => !known.includes(code))).toEqual([])
  })
})

describe('the message tables', () => {
  it('set the models of the wrong history apart from one another', () => {
    const { text, help } = messageOf({
      code: 'history-without-models',
      severity: 'error',
      args: { models: ['seer', 'oracle'], found: ['sear', 'orcale'] },
    })
    expect(text).toContain('(seer, oracle)')
    expect(help).toContain('It has rows of: sear, orcale.')
  })

  it('have each code once, in words and hyphens', () => {
    expect(known.filter((code, index) => known.indexOf(code) !== index)).toEqual([])
    expect(known.filter((code) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(code))).toEqual([])
  })
})
