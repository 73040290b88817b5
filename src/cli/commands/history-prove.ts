import { EXIT } from '../../contract/error.js'
import { printableJson } from '../../contract/printable.js'
import { type LogProof, proveEntry } from '../../history/log/proof.js'
import { openHistory } from '../../history/store/open.js'
import { readAnchors } from '../../time/rfc3161/anchors.js'
import { command } from '../command.js'
import { historyPath, withHistory } from '../options/common.js'

export default command({
  positionals: '<key>',
  describe: 'Print a proof that a forecast or attempt is in the log of its history',
  examples: [
    [
      'foreproof history prove 2026-01-02T03:00:00+00:00:seer:24 > proof.json',
      'For whoever wants to check that it was there',
    ],
  ],
  options: (yargs) =>
    withHistory(yargs)
      .positional('key', {
        type: 'string',
        demandOption: true,
        describe: 'ORIGIN:MODEL:HORIZON, as in forecast_id',
      })
      .option('log', { type: 'string', describe: 'A mirrored log, by its name; else the own one' })
      .option('anchors', {
        type: 'string',
        default: 'protocols/anchors',
        describe: 'Folder with certificates of authorities, which the proof takes along',
      }),
  run: async ({ history, key, log, anchors }, { env, stdout }) => {
    const reader = openHistory(historyPath(history, env))
    try {
      const proof: LogProof = {
        ...(await proveEntry(reader, key, log)),
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
