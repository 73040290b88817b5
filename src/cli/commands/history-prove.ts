import { EXIT } from '../../contract/error.js'
import { printableJson } from '../../contract/printable.js'
import { createEntryProof } from '../../history/prove.js'
import type { LogProof } from '../../log/check-proof.js'
import { openHistory } from '../../store/open.js'
import { readAnchors } from '../../time/rfc3161/anchors.js'
import { command } from '../command.js'
import { ANCHORS_FOLDER, HISTORY_OPTION, needed, textOr } from '../options.js'

export default command({
  positionals: '<key>',
  examples: {
    'foreproof history prove 2026-01-02T03:00:00+00:00:seer:24 > proof.json':
      'For anyone who wants to check that the forecast was recorded',
  },
  options: {
    history: HISTORY_OPTION,
    key: needed(
      'ORIGIN:MODEL:HORIZON, as in forecast_id; of any series SERIES,ORIGIN,HORIZON,MODEL',
    ),
    anchors: textOr('protocols/anchors', `${ANCHORS_FOLDER}, which the proof contains`),
  },
  run: async ({ history, key, anchors }, { stdout }) => {
    const reader = openHistory(history)
    try {
      const proof: LogProof = {
        ...(await createEntryProof(reader, key)),
        anchors: readAnchors(anchors).map(({ name, sha256, certificate }) => ({
          name,
          sha256,
          der: Buffer.from(certificate.der).toString('base64'),
        })),
      }
      stdout.write(`${printableJson(proof, 2)}\n`)
    } finally {
      await reader.close()
    }
    return EXIT.holds
  },
})
