import type { Finding } from '../../contract/findings/finding.js'
import { selectFiles } from '../../files/select.js'
import { loadDocument } from '../../protocol/load.js'
import { checkProtocolDocument } from '../../protocol/rules/check.js'
import { command } from '../command.js'
import { CHECKED_FILES, FORMAT } from '../options.js'
import { pluralize, textLookup } from '../wording.js'

/** Checks whether documents have the form of protocols; `verify` checks digests and ledgers. */
export default command({
  positionals: '<files..>',
  examples: {
    'foreproof validate draft.json': 'every fault of one document, with its place',
    'foreproof validate protocols --format sarif': 'all of a folder, for a code scanner',
    'make-draft | foreproof validate -': 'a document from standard input',
  },
  options: {
    files: CHECKED_FILES,
    format: FORMAT,
  },
  run: async ({ files }, context) => {
    const selected = selectFiles(files)
    const findings: Finding[] = []
    const faulty: { file: string; text: string }[] = []
    const documents: { file: string; ok: boolean }[] = []
    for (const path of selected) {
      const document = await loadDocument(path, context.stdin)
      const faults = document.ok ? checkProtocolDocument(document) : document.findings
      if (faults.length > 0) faulty.push(document)
      findings.push(...faults)
      documents.push({ file: document.file, ok: faults.length === 0 })
    }
    return context.report({
      findings,
      figures: { documents },
      checked: documents.map((document) => document.file),
      headline: `${pluralize(documents.length, 'document')} validated`,
      source: textLookup(faulty),
    })
  },
})
