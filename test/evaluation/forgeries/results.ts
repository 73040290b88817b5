import { FILES } from '../../../src/evaluation/evidence/folder.js'
import { type Case, edit } from './case.js'

export const FIGURES: Case[] = [
  ['a p-value', (of) => of.result((r) => (r.tests[0]!.p = 1e-9)), 'result-not-recomputed'],
  ['an effect', (of) => of.result((r) => (r.tests[3]!.observed = -0.5)), 'result-not-recomputed'],
  [
    'a decision',
    (of) => of.result((r) => (r.tests[0]!.decision = 'rejected')),
    'result-not-recomputed',
  ],
  [
    'a verdict',
    (of) => of.result((r) => (r.dispositions[0]!.disposition = 'eligible_for_human_review')),
    'result-not-recomputed',
  ],
  [
    'the reasons of a verdict',
    (of) => of.result((r) => (r.dispositions[0]!.reasons = [])),
    'result-not-recomputed',
  ],
  ['a loss', (of) => of.result((r) => (r.measures[0]!.point_loss = 1e-5)), 'result-not-recomputed'],
  [
    'a count of attempts',
    (of) =>
      of.result((r) => {
        r.accounting[0]!.point.scored += 1
        r.accounting[0]!.point.missing -= 1
      }),
    'result-not-recomputed',
  ],
  ['a control', (of) => of.result((r) => (r.controls[0]!.greatest = 1)), 'result-not-recomputed'],
  [
    'the number of rejected tests',
    (of) => of.result((r) => (r.family.rejected += 1)),
    'result-not-recomputed',
  ],
  ['a missing control', (of) => of.result((r) => r.controls.pop()), 'result-not-recomputed'],
  ['a test less', (of) => of.result((r) => r.tests.pop()), 'settings-differ'],
  ['tests in another order', (of) => of.result((r) => r.tests.reverse()), 'settings-differ'],
  [
    'a model of a name that looks the same',
    (of) => of.result((r) => (r.models[0]!.name = 'sеer')),
    'result-not-recomputed',
  ],
  ['the level', (of) => of.result((r) => (r.settings.alpha = 0.01)), 'settings-differ'],
  [
    'the floor',
    (of) => of.result((r) => (r.settings.practical_effect_floor = 0)),
    'settings-differ',
  ],
  ['the replicates', (of) => of.result((r) => (r.settings.replicates = 1e5)), 'settings-differ'],
  ['the seed', (of) => of.result((r) => (r.settings.seed = 7)), 'settings-differ'],
  ['the mode', (of) => of.result((r) => (r.mode = 'retrospective')), 'settings-differ'],
  [
    'the version of the protocol',
    (of) => of.result((r) => (r.inputs.protocol.version = 'made-9')),
    'settings-differ',
  ],
  [
    'the name of the evaluation',
    (of) => of.result((r) => (r.inputs.registration.name = 'better')),
    'settings-differ',
  ],
  [
    'when it was registered',
    (of) => of.result((r) => (r.inputs.registration.registered_at = '2024-01-01T00:00:00Z')),
    'settings-differ',
  ],
  [
    'the source of the closes',
    (of) => of.result((r) => (r.inputs.vintage.source = 'coinbase')),
    'settings-differ',
  ],
  [
    'how many rows the history had',
    (of) => of.result((r) => (r.inputs.history.rows += 1)),
    'result-not-recomputed',
  ],
  [
    'the digest of the history',
    (of) => of.result((r) => (r.inputs.history.sha256 = 'a'.repeat(64))),
    'history-changed',
  ],
  [
    'the digest of the closes',
    (of) => of.result((r) => (r.inputs.vintage.sha256 = 'a'.repeat(64))),
    'result-of-other-input',
  ],
  [
    'the digest of the pairs',
    (of) => of.result((r) => (r.inputs.pairs.sha256 = 'a'.repeat(64))),
    'pairs-edited',
  ],
  [
    'the digest of the protocol',
    (of) => of.result((r) => (r.inputs.protocol.sha256 = 'a'.repeat(64))),
    'result-of-other-input',
  ],
  [
    'the digest of the registration',
    (of) => of.result((r) => (r.inputs.registration.sha256 = 'a'.repeat(64))),
    'result-of-other-input',
  ],
  [
    'the digest of a ledger entry',
    (of) => of.result((r) => (r.inputs.registration.ledger_entry_sha256 = 'a'.repeat(64))),
    'ledger-rewritten',
  ],
  [
    'a first look that calls itself exploratory',
    (of) =>
      of.result((r) => {
        r.exploratory = true
        r.earlier_readings = 1
      }),
    'exploratory-differs',
  ],
]

export const CODE: Case[] = [
  [
    'the version of the code',
    (of) => of.result((r) => (r.code.version = '9.9.9')),
    'code-misnamed',
  ],
  ['the name of the code', (of) => of.result((r) => (r.code.name = 'other')), 'code-misnamed'],
  [
    'the digest of the code',
    async (of) => {
      of.result((r) => (r.code.sha256 = 'c'.repeat(64)))
      await of.seal()
    },
    'code-differs',
  ],
  [
    'version and digest of the code, beside a report of the forger',
    async (of) => {
      of.result((r) => (r.code = { ...r.code, version: '9.9.9', sha256: 'c'.repeat(64) }))
      edit(FILES.html, /Disposition<\/h2>/, 'Eligible for human review</h2>')(of)
      edit(FILES.markdown, /## /, '## Eligible: ')(of)
      await of.seal()
    },
    'code-differs',
  ],
]

export const SPELLING: Case[] = [
  ['a figure, and no digest', edit(FILES.result, '"alpha":0.05', '"alpha":0.01'), 'result-edited'],
  [
    'an unknown member',
    (of) => of.result((r) => Object.assign(r, { note: 'fine' })),
    'unknown-key',
  ],
  ['a member twice', edit(FILES.result, '{', '{"mode":"prospective",'), 'json-duplicate-name'],
  ['a number spelled otherwise', edit(FILES.result, ':0.05,', ':5e-2,'), 'result-spelling'],
  ['a blank', edit(FILES.result, '{', '{ '), 'result-spelling'],
  ['a carriage return', edit(FILES.result, '\n', '\r\n'), 'result-spelling'],
  ['a letter as an escape', edit(FILES.result, 'seer', '\\u0073eer'), 'result-spelling'],
  [
    'a byte order mark',
    (of) => of.put(FILES.result, `\uFEFF${of.text(FILES.result)}`),
    'document-encoding',
  ],
]
