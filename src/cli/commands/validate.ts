import type { Finding } from '../../contract/findings/finding.js'
import { selectFiles } from '../../files/select.js'
import { type Format, printReport } from '../../output/print.js'
import { loadDocument } from '../../protocol/load.js'
import { checkProtocolDocument } from '../../protocol/rules/check.js'
import type { Command } from '../command.js'
import { withFormat } from '../options/format.js'
import { counted, Sources } from '../sources.js'

interface Arguments {
  files: string[]
  format: Format
}

/** Whether documents are protocols by their form; digests and ledgers are the matter of verify. */
const command: Command<Arguments> = {
  positionals: '<files..>',
  describe: 'Report everything in which protocols depart from their format',
  examples: [
    ['foreproof validate draft.json', 'every fault of one document, with its place'],
    ['foreproof validate protocols --format sarif', 'all of a folder, for a code scanner'],
    ['make-draft | foreproof validate -', 'a document from standard input'],
  ],
  options: (yargs) =>
    withFormat(
      yargs.positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Files, folders, patterns, or - for standard input',
      }),
    ),
  run: async ({ files, format }, context) => {
    const selected = await selectFiles(files)
    const findings: Finding[] = []
    const sources = new Sources()
    const documents: { file: string; ok: boolean }[] = []
    for (const path of selected) {
      const document = await loadDocument(path, context.stdin)
      const found = document.ok ? checkProtocolDocument(document) : document.findings
      if (found.length > 0) sources.keep(document)
      findings.push(...found)
      documents.push({ file: document.file, ok: found.length === 0 })
    }
    return printReport(context, format, {
      findings,
      figures: { documents },
      checked: documents.map((document) => document.file),
      headline: `${counted(documents.length, 'document')} validated`,
      source: sources.of,
    })
  },
}

export default command
