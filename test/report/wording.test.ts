import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CODES, explainCode } from '../../src/contract/findings/finding.js'

/** English that readers called wrong, or had to read twice. */
const WRONG =
  /\b(is|are|was|be) no (RFC|JSON|regular|built-in|number|address|price|full|file|folder|ledger|registration|timestamp|escape|part|readable)\b|\bthat is none\b|\bnone that\b|belongs? into\b|says [^.]* nowhere|\bmade (data|candidates)\b|has to be mended|[Mm]end (the|it|these|your)\b|the answer (is )?no\b|\bfrom your history\b|a version of its own/

const root = new URL('../../', import.meta.url).pathname

function pages(): string[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const all = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  return ['README.md', 'SECURITY.md', ...all].filter(
    // What is exported has comments of its own; decisions and architecture are for those who build.
    (name) => !/api|decisions|architecture/.test(name),
  )
}

/** Texts in quotes of a source file: what a person may be shown. */
function shownTexts(file: string): string[] {
  const code = readFileSync(file, 'utf8').replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')
  return [...code.matchAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g)].map(([text]) => text)
}

describe('plain English', () => {
  it('in every finding: its sentence and its help', () => {
    for (const code of CODES) {
      const { example, help } = explainCode(code)
      expect(`${example} ${help ?? ''}`, code).not.toMatch(WRONG)
    }
  })

  it('in every text of the program', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((name) => /^(?!.*generated).*\.ts$/.test(name))) {
      for (const text of shownTexts(join(root, 'src', file))) expect(text, file).not.toMatch(WRONG)
    }
  })

  it.each(pages())('in %s', (page) => {
    expect(readFileSync(join(root, page), 'utf8')).not.toMatch(WRONG)
  })
})
