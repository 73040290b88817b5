import { describe, expect, it } from 'vitest'
import { Redactor } from '../../../src/service/keys/redact.js'

describe('redaction', () => {
  it('blots out a path that holds any eight characters of a key, encoded or not', () => {
    const redactor = new Redactor(['S3cret-Key-Alpha'])
    expect(redactor.path('/x/s3cret-k')).toBe('[redacted]')
    expect(redactor.path('/x/%53%33cret-Ke/y')).toBe('[redacted]')
    expect(redactor.path('/x/s3cret-')).toBe('/x/s3cret-')
    expect(redactor.path(`/${'y'.repeat(300)}`)).toBe(`/${'y'.repeat(255)}...`)
  })
})
