import type { Finding } from '../../contract/findings/finding.js'
import type { Document } from '../../document/read.js'
import { loadDocument } from '../../protocol/load.js'
import { locateFindings, PROTOCOL_DIGEST } from '../../protocol/rules/check.js'
import { compareDocuments, differenceFindings } from '../../protocol/rules/compare.js'
import { command } from '../command.js'
import { FORMAT, needed } from '../options.js'
import { pluralize, textLookup } from '../wording.js'

export default command({
  positionals: '<a> <b>',
  examples: {
    'foreproof compare protocols/v1.json protocols/v2.json': 'what the new version changes',
    'foreproof compare protocols/v1.json draft.json --format json': 'the same for a machine',
  },
  options: {
    a: needed('The old protocol'),
    b: needed('The new protocol, or -'),
    format: FORMAT,
  },
  run: async ({ a, b }, context) => {
    const before = await loadDocument(a, context.stdin)
    const after = await loadDocument(b, context.stdin)
    if (!before.ok || !after.ok) {
      const findings = [before, after].flatMap((each) => (each.ok ? [] : each.findings))
      return context.report({
        findings,
        figures: { differences: null },
        source: textLookup([before, after]),
      })
    }
    // The digest follows from everything else.
    const ignored = new Set([`/${PROTOCOL_DIGEST}`])
    const differences = compareDocuments(before.value, after.value, ignored)
    return context.report({
      findings: differenceFindings(differences).map((each) => locate(each, before, after)),
      threshold: 'note',
      figures: { a: before.file, b: after.file, differences },
      checked: [after.file],
      headline: pluralize(differences.length, 'difference'),
      source: textLookup([before, after]),
    })
  },
})

/** Finds the position of a difference: in the new document, or in the old one if it was removed. */
function locate(finding: Finding, before: Document, after: Document): Finding {
  const isRemoved = finding.code === 'difference' && finding.args.kind === 'removed'
  const [located] = locateFindings([finding], isRemoved ? before : after)
  return located as Finding
}
