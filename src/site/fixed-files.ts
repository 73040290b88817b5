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
  const linkedPages = staged.objects !== undefined
  // The document lies at the root of the site, wherever that is.
  const openapi = openApiDocument({ variant: 'static', baseUrl: baseUrl ?? '.', linkedPages })
  const texts = {
    'openapi.json': `${JSON.stringify(openapi, null, 2)}\n`,
    '404.html': notFoundPage(),
    'index.html': indexPage(staleAfterSeconds, linkedPages),
  }
  const written: WrittenFile[] = []
  for (const path of FIXED_FILES) {
    const bytes = Buffer.from(texts[path])
    if (before.get(path) !== sha256Hex(bytes))
      written.push(...(await putEncoded(staged, path, bytes)))
  }
  return written
}
