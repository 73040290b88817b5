import { expect, it } from 'vitest'
import { finding } from '../../src/contract/findings/finding.js'
import type { AuditResult, Unchecked } from '../../src/evaluation/evidence/audit.js'
import { toPageAnswer } from '../../src/page/answer.js'

it('shows nothing that turns the writing, and no name of 100 MB', () => {
  const name = `\u202e${'é'.repeat(100_000_000)}`
  const result = {
    inputs: { registration: { name } },
    reading: { dispositions: [] },
    time: { authorities: [{ name: '\u202ealpha', anchor_sha256: '00' }] },
  }
  const { name: shown, facts } = toPageAnswer({
    ...{ ok: true, links: [], findings: [], result: result as never },
  })
  expect(shown).toMatch(/^\\u202eé{999}…$/)
  expect(facts[0]?.[0]).toContain('\\u202ealpha')
  const found = finding('trusted-unused', { fault: 'witnesses' }, { file: '/a\u202eb' })
  const [note] = toPageAnswer({ ok: false, links: [], findings: [found], result: undefined }).notes
  expect(note?.position).toBe('a\\u202eb')
})

/** Who can bring about that a link is not checked, for each reason there is. */
const WHO: Readonly<Record<Unchecked, string>> = {
  'other-code': 'the writer, by another release: an error until the reader accepts its digest',
  'earlier-link': 'nobody: another link is broken',
  'without-input': 'whoever sends or gives no such input: the link names it',
  'export-of-history': 'the reader, who gives an export in the place of the history',
}

it.each(Object.keys(WHO) as Unchecked[])(
  'says of a link that was not checked why: %s',
  (because) => {
    const missing = { missing: ['outcomes'] as const }
    const links = [
      { link: 'computation' as const, state: 'not_checked' as const, because, ...missing },
    ]
    const found: AuditResult = { ok: true, links, findings: [], result: undefined }
    const { state, links: shown } = toPageAnswer(found)
    // Never green.
    expect(state).toBe('open')
    expect(shown[0]?.because).toMatch(/\w.*\.$/)
  },
)
