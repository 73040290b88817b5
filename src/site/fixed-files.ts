import { openApiDocument } from '../contract/openapi/document.js'
import { sha256Hex } from '../document/digest.js'
import { indexPage, notFoundPage } from './page/document.js'
import type { SiteSettings } from './plan/plan.js'
import { putEncoded, type WrittenFile } from './writer/encoded.js'
import type { StagedSite } from './writer/types.js'

/** Files that hold no forecast. */
export const FIXED_FILES = ['openapi.json', '404.html', 'index.html'] as const

/**
 * Writes those of them that are not as they were.
 * @param before digests of the files of the build before, by path.
 */
export async function writeFixedFiles(
  staged: StagedSite,
  { baseUrl, staleAfterSeconds }: SiteSettings,
  before: ReadonlyMap<string, string>,
): Promise<WrittenFile[]> {
  // The document lies at the root of the site, wherever that is.
  const document = openApiDocument({ variant: 'static', baseUrl: baseUrl ?? '.' })
  const openapi = `${JSON.stringify(document, null, 2)}\n`
  const texts = {
    'openapi.json': staged.objects === undefined ? openapi : withGenerations(openapi),
    '404.html': notFoundPage(),
    'index.html': indexPage(staleAfterSeconds, staged.objects !== undefined),
  }
  const written: WrittenFile[] = []
  for (const path of FIXED_FILES) {
    const bytes = Buffer.from(texts[path])
    if (before.get(path) !== sha256Hex(bytes))
      written.push(...(await putEncoded(staged, path, bytes)))
  }
  return written
}

/** Says of the numbers of pages what holds where their builds are in them. */
function withGenerations(openapi: string): string {
  return openapi
    .replace(
      'numbers count from the oldest page, so that a page keeps its number.',
      'numbers are of this page and of the build that wrote it, and never used again.',
    )
    .replace(
      'Four digits or more; page 0001 holds the oldest forecasts.',
      'Four digits or more; only next_url tells which pages there are.',
    )
}
