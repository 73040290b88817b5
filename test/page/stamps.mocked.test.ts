import { vi } from 'vitest'

// The tests of stamps once more, with the certificates, digests and signatures of the page's stand-in: what is made
// for them is still made by Node.
vi.mock('node:crypto', async (original) => {
  const page = await import('../../src/page/stand-ins/crypto.js')
  const node = await original<typeof import('node:crypto')>()
  const { hash, verify, X509Certificate } = page
  // Some stamps are made with a digest that is refused.
  const createHash = (name: string) =>
    name === 'SHA-224' ? node.createHash(name) : page.createHash(name)
  return { ...node, createHash, hash, verify, X509Certificate }
})
await import('../time/checks.test.js')
await import('../time/anchors.test.js')
