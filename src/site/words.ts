import { printable } from '../contract/printable.js'
import { HEAD_FILE, pageFile } from './layout.js'
import type { PlanReason, PublishPlanResult } from './plan/plan.js'
import type { BuildRecord } from './record.js'

const REASONS: Readonly<Record<PlanReason, string>> = {
  'no-build-before': 'there is no build before',
  asked: 'it was asked for',
  'other-format': 'the build before is of an older foreproof',
  'other-base-url': 'the base URL or the page size is another',
  'late-rows': 'rows came in late',
  'new-rows': 'there are new rows',
  'new-checkpoint': 'the log has a new checkpoint or stamp',
  time: 'time has passed',
}

function pageCount(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`
}

function range(first: number, last: number): string {
  if (last < first) return 'none'
  return last === first ? pageFile(first) : `${pageFile(last)} down to ${pageFile(first)}`
}

/**
 * Describes what a build would do.
 * @param inBucket whether only the build itself knows the names of its pages.
 */
export function planWords(plan: PublishPlanResult, inBucket: boolean): string {
  const { forecasts, pages, keptPages, reopenedPages, droppedPages } = plan
  const lines = [
    `${plan.kind} build, for ${plan.because.map((reason) => REASONS[reason]).join(' and ')}`,
    `  ${pageCount(forecasts, 'forecast')}: the head and ${pageCount(pages, 'page')}`,
    `  kept as they are: ${pageCount(keptPages, 'page')}`,
    `  to write: the head, latest.json and ${pageCount(pages - keptPages, 'page')}${inBucket ? '' : ` (${range(keptPages + 1, pages)})`}`,
  ]
  const months = plan.attemptMonths ?? []
  if (months.length > 0) lines.push(`  recorded attempts to write: those of ${months.join(', ')}`)
  if (plan.dropsAttempts) lines.push('  recorded attempts: taken away')
  if (plan.log !== undefined) {
    const { size, newCheckpoints } = plan.log
    lines.push(
      `  log: ${size.toLocaleString('en-US')} sealed, ${pageCount(newCheckpoints, 'new checkpoint')}`,
    )
  }
  if (plan.dropsLog) lines.push('  log: taken away')
  if (reopenedPages > 0) lines.push(`  sealed pages to write again: ${reopenedPages}`)
  if (droppedPages > 0) lines.push(`  pages to remove: ${droppedPages}`)
  return `${lines.join('\n')}\n`
}

/**
 * Describes what a build did.
 * @param bucketUrl address of the site's objects, if it is in a store of objects.
 */
export function resultWords(
  out: string,
  plan: PublishPlanResult,
  record: BuildRecord,
  bucketUrl: string | undefined,
): string {
  const written = plan.pages - plan.keptPages
  const lines = [
    `${printable(out)}: ${pageCount(plan.forecasts, 'forecast')}, ${pageCount(plan.pages, 'page')} besides the head, ${record.sealed_pages} of them sealed`,
    `  written: the head, latest.json and ${pageCount(written, 'page')}; kept: ${pageCount(plan.keptPages, 'page')}`,
  ]
  const { keptPages, reopenedPages } = plan
  if (bucketUrl !== undefined) lines.push(`  ${bucketUrl}/${HEAD_FILE}`)
  if (reopenedPages > 0) {
    lines.push(
      `  rows came in late: ${pageCount(reopenedPages, 'sealed page')} had to be written again`,
      // In a bucket, rewritten pages have new names.
      ...(bucketUrl === undefined
        ? [`  (${range(keptPages + 1, keptPages + reopenedPages)}); caches may hold the old ones`]
        : []),
    )
  }
  return `${lines.join('\n')}\n`
}
