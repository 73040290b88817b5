import { FILES } from '../../../src/evaluation/evidence/folder.js'
import { type Case, cases, edit, result } from './case.js'

export const FIGURES: Case[] = [
  ...cases('computation result-not-recomputed', {
    'a p-value': result((r) => (r.tests[0]!.p = 1e-9)),
    'an effect': result((r) => (r.tests[3]!.observed = -0.5)),
    'a decision': result((r) => (r.tests[0]!.decision = 'rejected')),
    'a verdict': result((r) => (r.dispositions[0]!.disposition = 'eligible_for_human_review')),
    'the reasons of a verdict': result((r) => (r.dispositions[0]!.reasons = [])),
    'a loss': result((r) => (r.measures[0]!.point_loss = 1e-5)),
    'a count of attempts': result((r) => {
      r.accounting[0]!.point.scored += 1
      r.accounting[0]!.point.missing -= 1
    }),
    'a control': result((r) => (r.controls[0]!.greatest = 1)),
    'the number of rejected tests': result((r) => (r.family.rejected += 1)),
    'a missing control': result((r) => r.controls.pop()),
    'a model of a name that looks the same': result((r) => (r.models[0]!.name = 'sеer')),
    'a test less': result((r) => r.tests.pop()),
    'tests in another order': result((r) => r.tests.reverse()),
    'the level': result((r) => (r.settings.alpha = 0.01)),
    'the floor': result((r) => (r.settings.practical_effect_floor = 0)),
    'the replicates': result((r) => (r.settings.replicates = 1e5)),
    'the seed': result((r) => (r.settings.seed = 7)),
    'the mode': result((r) => (r.mode = 'retrospective')),
    'the version of the protocol': result((r) => (r.inputs.protocol.version = 'made-9')),
    'the name of the evaluation': result((r) => (r.inputs.registration.name = 'better')),
    'when it was registered': result(
      (r) => (r.inputs.registration.registered_at = '2024-01-01T00:00:00Z'),
    ),
    'the source of the closes': result((r) => (r.inputs.vintage.source = 'coinbase')),
  }),
  ...cases('history result-not-recomputed', {
    'how many rows the history had': result((r) => (r.inputs.history.rows += 1)),
  }),
  ...cases('history history-changed', {
    'the digest of the history': result((r) => (r.inputs.history.sha256 = 'a'.repeat(64))),
  }),
  ...cases('outcomes result-of-other-input', {
    'the digest of the closes': result((r) => (r.inputs.vintage.sha256 = 'a'.repeat(64))),
  }),
  ...cases('protocol result-of-other-input', {
    'the digest of the protocol': result((r) => (r.inputs.protocol.sha256 = 'a'.repeat(64))),
  }),
  ...cases('registration result-of-other-input', {
    'the digest of the registration': result(
      (r) => (r.inputs.registration.sha256 = 'a'.repeat(64)),
    ),
  }),
  ...cases('pairs evidence-edited', {
    'the digest of the pairs': result((r) => (r.inputs.pairs.sha256 = 'a'.repeat(64))),
  }),
  ...cases('ledger ledger-rewritten', {
    'the digest of a ledger entry': result(
      (r) => (r.inputs.registration.ledger_entry_sha256 = 'a'.repeat(64)),
    ),
  }),
  ...cases('access exploratory-differs', {
    'a first look that calls itself exploratory': result((r) => {
      r.exploratory = true
      r.earlier_readings = 1
    }),
  }),
]

export const CODE: Case[] = [
  ...cases('code code-misnamed', {
    'the version of the code': result((r) => (r.code.version = '9.9.9')),
    'the name of the code': result((r) => (r.code.name = 'other')),
  }),
  ...cases('code-differs', {
    'the digest of the code': async (of) => {
      of.result((r) => (r.code.sha256 = 'c'.repeat(64)))
      await of.seal()
    },
    'version and digest of the code, beside a report of the forger': async (of) => {
      of.result((r) => (r.code = { ...r.code, version: '9.9.9', sha256: 'c'.repeat(64) }))
      edit(FILES.html, /Disposition<\/h2>/, 'Eligible for human review</h2>')(of)
      edit(FILES.markdown, /## /, '## Eligible: ')(of)
      await of.seal()
    },
  }),
]

export const SPELLING: Case[] = [
  ...cases('result digest-mismatch', {
    'a figure, and no digest': edit(FILES.result, '"alpha":0.05', '"alpha":0.01'),
  }),
  ...cases('result unknown-key', {
    'an unknown member': result((r) => Object.assign(r, { note: 'fine' })),
  }),
  ...cases('result json-duplicate-name', {
    'a member twice': edit(FILES.result, '{', '{"mode":"prospective",'),
  }),
  ...cases('result evidence-edited', {
    'a number spelled otherwise': edit(FILES.result, ':0.05,', ':5e-2,'),
    'a blank': edit(FILES.result, '{', '{ '),
    'a carriage return': edit(FILES.result, '\n', '\r\n'),
    'a letter as an escape': edit(FILES.result, 'seer', '\\u0073eer'),
  }),
  ...cases('result document-encoding', {
    'a byte order mark': (of) => of.put(FILES.result, `\uFEFF${of.text(FILES.result)}`),
  }),
]
