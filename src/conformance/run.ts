import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type RuleName, STATIC_RULES } from '../contract/conformance-rules.js'
import { ForeproofError, fileError } from '../contract/error.js'
import { finding } from '../contract/findings/finding.js'
import { STATIC_ROOT } from '../contract/limits.js'
import { withoutSecrets } from '../contract/secrets.js'
import { sha256Hex } from '../document/digest.js'
import { parseWebAddress } from '../remote/address.js'
import {
  type Deployment,
  folderDeployment,
  isFolder,
  openAddress,
  type Variant,
} from '../remote/deployment.js'
import { LATEST_FILE } from '../site/layout.js'
import { readRecord } from '../site/record.js'
import { checkService } from './dynamic/service.js'
import { type ConformanceFinding, RuleChecks, type RuleResult } from './judge.js'
import { EarlierCopy } from './static/earlier.js'
import { checkFolder, checkNeighbours } from './static/folder.js'
import { checkLog } from './static/log.js'
import { checkStaticPages } from './static/site.js'

export interface ConformanceResult {
  readonly variant: Variant
  readonly verdicts: readonly RuleResult[]
  readonly findings: readonly ConformanceFinding[]
}

export interface CheckDeploymentOptions {
  /** An API key of a service, sent to the host of the address only. */
  readonly key?: string | undefined
  /** True to check a service without a key as far as possible; without this, a missing key is a finding. */
  readonly withoutKey?: boolean | undefined
  /** Largest number of pages of the history to check; default 25 for a service, 10,000 for a site. */
  readonly pages?: number | undefined
  /** An earlier copy of the site, to check that its forecasts are unchanged. */
  readonly previous?: string | undefined
  /** False for a service behind a proxy that passes on `/v1` only: no probes, no metrics. */
  readonly probes?: boolean | undefined
  readonly onProgress?: ((text: string) => void) | undefined
}

/**
 * Checks a built folder, a published site or a running service against every rule of the specification that is visible
 * from outside. A service gets about 460 requests, within its rate limit.
 * @throws {ForeproofError} `usage` if it is neither a folder nor an address, and for a folder with a key; `not-found`
 * for an earlier copy that is not a site; `unavailable` if the key is not accepted, or a site is rebuilt during every
 * attempt; `io` if no answer comes.
 */
export async function checkDeployment(
  target: string,
  options: CheckDeploymentOptions = {},
): Promise<ConformanceResult> {
  const { key, pages, probes = true, onProgress = () => {} } = options
  if (isFolder(target)) {
    if (key !== undefined) {
      throw new ForeproofError('usage', 'a folder is no service', { help: 'Give its address.' })
    }
    return toResult('static', await checkSite(() => openFolder(target), options))
  }
  if (parseWebAddress(target) === undefined) {
    const message = `${withoutSecrets(target)}: is neither a folder nor a web address`
    throw new ForeproofError('usage', message, {
      help: 'conformance judges what serves the API of version 1, which has hourly forecasts only: give the folder of a site, or an address like https://example.org (without credentials).',
    })
  }
  const onWait = (seconds: number, why: string) => onProgress(`${why}: waiting ${seconds} s`)
  const { deployment, client } = await openAddress(target, { key, onWait })
  if (deployment.variant === 'static') {
    return toResult('static', await checkSite(() => ({ deployment }), options))
  }
  const root = deployment.id
  const result = toResult(
    'dynamic',
    await checkService({ root, client, key, pages, probes, onProgress }),
  )
  if (key !== undefined || options.withoutKey === true) return result
  const { verdicts, findings } = result
  const judged = verdicts.filter(({ outcome }) => outcome !== 'not-applicable').length
  const args = { judged, rules: verdicts.length }
  const partial = finding('conformance-without-key', args, { file: root })
  return { ...result, findings: [...findings, partial] }
}

function toResult(variant: Variant, judge: RuleChecks): ConformanceResult {
  return { variant, verdicts: judge.verdicts(), findings: judge.findings }
}

const ONLY_FOLDERS: readonly RuleName[] = ['checksums', 'encodings', 'build-record']
const AGAINST_EARLIER: readonly RuleName[] = ['sealed-unchanged', 'forecasts-kept', 'not-older']

/** After this number of looks at an unchanged build, it counts as killed, and what it left as the site. */
const STILL = 5
/** How often a site may be rebuilt during a look before the check gives up. */
const LOOKS = 15
const PAUSE_MS = 200
const PAUSES_GROW = 4

/** A site at the moment of a look. */
interface Site {
  readonly deployment: Deployment
  /** For a folder: the one that a link leads to now; `publish` moves the link. */
  readonly folder?: string
}

/** Paths are shown as they were given, unless they contain a link. */
function openFolder(given: string): Site {
  try {
    const real = realpathSync(given)
    const folder = real === resolve(given) ? given : real
    return { deployment: folderDeployment(folder), folder }
  } catch (cause) {
    throw fileError(cause, given)
  }
}

/**
 * Checks a site. If it is rebuilt during the check, files of two builds are mixed, so the check is repeated.
 * @throws {ForeproofError} `unavailable` if it is rebuilt every time.
 */
async function checkSite(open: () => Site, options: CheckDeploymentOptions): Promise<RuleChecks> {
  let marks: string[] = []
  for (let count = 1; ; count++) {
    const site = open()
    const before = await readBuild(site)
    const seen = await runChecks(site, options).catch((cause: unknown) => ({ cause }))
    if ('findings' in seen && seen.findings.length === 0) return seen
    const after = await readBuild(open())
    marks = [...marks, before.mark, after.mark].slice(-2 * STILL)
    const stands = marks.length === 2 * STILL && marks.every((mark) => mark === after.mark)
    if (before.mark === after.mark && (!after.isBuilding || stands)) {
      if ('findings' in seen) return seen
      throw seen.cause
    }
    if (count === LOOKS) {
      const message = `${site.deployment.id}: was built anew during each of ${LOOKS} looks at it`
      const help = 'Run again while no build runs, or on a copy.'
      throw new ForeproofError('unavailable', message, { help })
    }
    await pause(PAUSE_MS * Math.min(count, PAUSES_GROW))
  }
}

/** What changes with every build, and whether a build in place is running. */
async function readBuild({ deployment, folder }: Site) {
  const head = await deployment.read(deployment.head).catch(() => undefined)
  const record = folder === undefined ? undefined : readRecord(folder)
  const mark = JSON.stringify([deployment.id, head && sha256Hex(head.bytes), record])
  return { mark, isBuilding: record?.building === true }
}

async function runChecks(
  { deployment, folder }: Site,
  { pages, previous, onProgress }: CheckDeploymentOptions,
): Promise<RuleChecks> {
  const judge = new RuleChecks(STATIC_RULES)
  const root = deployment.head.slice(0, deployment.head.lastIndexOf(STATIC_ROOT.slice(1)))
  const latest = root + LATEST_FILE
  const onPage = (count: number) => onProgress?.(`${count} pages`)
  const earlier = previous === undefined ? undefined : new EarlierCopy(judge, previous)
  const chain = await checkStaticPages(judge, { deployment, latest, pages, earlier, onPage })
  if (folder !== undefined) checkFolder(judge, folder, chain)
  else if (!chain.cut) await checkNeighbours(judge, deployment, root, chain)
  await checkLog(judge, deployment)
  if (folder === undefined) judge.skip(ONLY_FOLDERS, 'only a folder shows which files there are')
  judge.skip(AGAINST_EARLIER, 'no earlier copy was given with --previous')
  return judge
}
