import { beforeAll, describe, expect, it, vi } from 'vitest'
import { explain, isStale } from './failure'

const answers = (response: Response) => vi.fn(async () => Promise.resolve(response))

describe('what is behind a MediaError', () => {
  beforeAll(() => {
    vi.stubGlobal('MediaError', { MEDIA_ERR_ABORTED: 1, MEDIA_ERR_NETWORK: 2, MEDIA_ERR_DECODE: 3, MEDIA_ERR_SRC_NOT_SUPPORTED: 4 })
    return () => vi.unstubAllGlobals()
  })

  it('is a codec only when the address answers', async () => {
    const ask = answers(new Response('x', { status: 206 }))
    expect(await explain(4, '/view/T/a.mkv', ask)).toEqual({ kind: 'codec' })
    expect(ask).toHaveBeenCalledWith('/view/T/a.mkv', { headers: { Range: 'bytes=0-0' }, cache: 'no-store' })
  })

  it('is the server\'s no, in its words', async () => {
    const failure = await explain(4, '/view/T/a.mkv', answers(new Response('{"error":"Every provider lost article 3."}', { status: 503 })))
    expect(failure).toEqual({ kind: 'http', status: 503, message: 'Every provider lost article 3.' })
    expect(isStale(failure)).toBe(false)
  })

  it('is a link that has expired, which a new one mends', async () => {
    const failure = await explain(4, '/view/T/a.mkv', answers(new Response('gone', { status: 404 })))
    expect(failure).toEqual({ kind: 'http', status: 404, message: 'HTTP 404' })
    expect(isStale(failure)).toBe(true)
  })

  it('is a server that is away', async () => {
    expect(await explain(4, '/view/T/a.mkv', async () => Promise.reject(new TypeError('Failed to fetch')))).toEqual({ kind: 'away' })
    expect(await explain(2, '/view/T/a.mkv', answers(new Response('x', { status: 206 })))).toEqual({ kind: 'away' })
  })

  it('is damage when the decoder had begun', async () => {
    expect(await explain(3, '/view/T/a.mkv', answers(new Response('x', { status: 206 })))).toEqual({ kind: 'damaged' })
  })
})
