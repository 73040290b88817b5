import { describe, expect, it } from 'vitest'
import { ForeproofError } from '../../../src/contract/error.js'
import { linkFault } from '../../../src/site/writer/links.js'

const fault = (code: string) => Object.assign(new Error(code), { code, syscall: 'link' })

describe('a link that cannot be made', () => {
  // What Linux answers on FAT, on some network file systems, across devices, and beyond ext4's 65,000 names.
  it.each(['EPERM', 'EOPNOTSUPP', 'EXDEV', 'EMLINK'])('%s leads to --in-place', (code) => {
    const error = linkFault(fault(code), 'site/index.html') as ForeproofError
    expect(error).toBeInstanceOf(ForeproofError)
    expect(error.code).toBe('refused')
    expect(error.message).toBe(`site/index.html: no hard link can be made here (${code})`)
    expect(error.help).toContain('--in-place')
  })

  it.each(['ENOENT', 'ENOSPC', 'EACCES'])('%s stays what it is', (code) => {
    const cause = fault(code)
    expect(linkFault(cause, 'site/index.html')).toBe(cause)
  })
})
