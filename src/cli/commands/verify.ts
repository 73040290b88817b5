import { basename, dirname } from 'node:path'
import type { Protocol } from '../../contract/types.js'
import type { Document, UnreadableDocument } from '../../document/read.js'
import { selectFiles } from '../../files/select.js'
import { readTrusted } from '../../log/trusted.js'
import { LEDGER_NAME } from '../../protocol/ledger-file.js'
import { loadDocument } from '../../protocol/load.js'
import { Verifier } from '../../protocol/verify.js'
import { toTrustChoice } from '../../time/level.js'
import { command } from '../command.js'
import { ledgerTime } from '../ledger-time.js'
import { CHECKED_FILES, FORMAT, TRUST_OPTIONS } from '../options.js'
import { whoFigures } from '../time-facts.js'
import { pluralize, textLookup } from '../wording.js'

export default command({
  positionals: '<files..>',
  examples: {
    'foreproof verify protocols': 'every protocol of a folder, and its ledger',
    'foreproof verify protocols/*.json --format json': 'the same for a machine',
    'foreproof verify protocols/ledger.jsonl': 'the ledger alone',
    'foreproof verify protocols --anchors ~/anchors': 'by the authorities that you trust',
    'foreproof verify protocols --witnesses ~/witnesses.policy': 'and by your witnesses',
  },
  options: {
    files: CHECKED_FILES,
    format: FORMAT,
    ...TRUST_OPTIONS,
  },
  run: async ({ files, ...trusted }, context) => {
    const verifier = new Verifier()
    const faulty: { file: string; text: string }[] = []
    const documents: object[] = []
    const checked: string[] = []
    for (const path of selectFiles(files)) {
      if (basename(path) === LEDGER_NAME) {
        verifier.addFolder(dirname(path))
        continue
      }
      const document = await loadDocument(path, context.stdin)
      const ok = verifier.add(document).length === 0
      if (!ok) faulty.push(document)
      documents.push(toFigures(document, ok))
      checked.push(document.file)
    }
    const ledgers = verifier.ledgers.map(({ file, lines }) => ({ file, entries: lines.length }))
    const time = await ledgerTime(verifier.ledgers, readTrusted(trusted))
    const levels = (file: string) => time.levels.find((each) => each.file === file)?.levels
    return context.report({
      findings: [...verifier.findings, ...time.findings],
      figures: {
        documents,
        ...whoFigures(toTrustChoice(trusted)),
        ledgers: ledgers.map((each) => ({ ...each, levels: levels(each.file) ?? null })),
      },
      checked: [...checked, ...ledgers.map((ledger) => ledger.file)],
      headline: headline(documents.length, ledgers),
      body: time.body,
      source: textLookup(faulty),
    })
  },
})

function toFigures(document: Document | UnreadableDocument, ok: boolean): object {
  if (!ok || !document.ok) return { file: document.file, ok }
  const { protocol_version, protocol_sha256 } = document.value as Protocol
  return { file: document.file, ok, protocol_version, protocol_sha256 }
}

function headline(documents: number, ledgers: readonly { entries: number }[]): string {
  const entries = ledgers.reduce((sum, ledger) => sum + ledger.entries, 0)
  const ledgerCount = ledgers.length === 0 ? 'no ledger' : `${pluralize(entries, 'ledger line')}`
  return `${pluralize(documents, 'protocol')}, ${ledgerCount} verified`
}
