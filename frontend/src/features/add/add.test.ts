import { describe, expect, it, vi } from 'vitest'
import type { AddAnswer } from '~/api/types'
import { entries, type Entry } from './entries'
import { Lanes } from './lanes'
import { isJob, readText } from './read'

const result = (name: string, rest: Partial<AddAnswer['results'][number]> = {}): AddAnswer['results'][number] => ({ name, job: null, error: null, duplicate: false, ...rest })
const begin = (...names: string[]) => entries([], { type: 'begin', entries: names.map((name, id) => ({ id, name })) })
const told = (list: readonly Entry[]) => list.map(({ name, state, error }) => [name, state, error])

describe('a pasted text', () => {
  it('gives links, each once, without what stands around them', () => {
    expect(readText('see <https://a.example/x.nzb>, and\nmagnet:?xt=urn:btih:abc&dn=x\nhttps://a.example/x.nzb').links).toEqual(['https://a.example/x.nzb', 'magnet:?xt=urn:btih:abc&dn=x'])
  })

  it('takes a bare info hash for a magnet link', () => {
    expect(readText('c12fe1c06bba254a9dc9f519b335aa7c1367a88a').links).toEqual(['magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a'])
  })

  it('may be an .nzb itself', () => {
    const nzb = '<?xml version="1.0"?><nzb xmlns="http://www.newzbin.com/DTD/2003/nzb"></nzb>'
    expect(readText(nzb)).toEqual({ links: [], nzb })
  })

  it('may hold nothing', () => {
    expect(readText('just words, ftp://x')).toEqual({ links: [], nzb: null })
  })
})

it('knows files that hold jobs by their names', () => {
  expect(['a.nzb', 'A.NZB', 'a.nzb.gz', 'a.torrent', 'a.magnet', 'a.zip'].every(isJob)).toBe(true)
  expect(['a.mkv', 'nzb', 'a.gz'].some(isJob)).toBe(false)
})

describe('what is being added', () => {
  it('fails one by one', () => {
    let list = begin('a.nzb', 'b.nzb')
    list = entries(list, { type: 'fail', ids: [0], error: 'The disk is full.' })
    list = entries(list, { type: 'answer', ids: [1], answer: { results: [result('b')] } })
    expect(told(list)).toEqual([['a.nzb', 'failed', 'The disk is full.'], ['b', 'queued', null]])
  })

  it('becomes a row for each file of a zip, in its place', () => {
    let list = begin('a.zip', 'b.nzb')
    list = entries(list, { type: 'answer', ids: [0], answer: { results: [result('1'), result('2', { error: 'not XML' }), result('3', { duplicate: true })] } })
    expect(told(list)).toEqual([['1', 'queued', null], ['2', 'failed', 'not XML'], ['3', 'duplicate', null], ['b.nzb', 'sending', null]])
    expect(new Set(list.map((entry) => entry.id)).size).toBe(4)
  })

  it('answers links in their order', () => {
    let list = begin('l1', 'l2')
    list = entries(list, { type: 'answer', ids: [0, 1], answer: { results: [result('one'), result('two', { error: 'no such host' })] } })
    expect(told(list)).toEqual([['one', 'queued', null], ['two', 'failed', 'no such host']])
  })

  it('can be sent once more when it failed, but for what was refused here and for parts of a zip', () => {
    let list = entries([], { type: 'begin', entries: [{ id: 0, name: 'a.nzb' }, { id: 1, name: 'b.zip' }, { id: 2, name: 'c.txt', error: 'no job' }] })
    list = entries(list, { type: 'fail', ids: [0], error: 'The server does not answer.' })
    list = entries(list, { type: 'answer', ids: [1], answer: { results: [result('1', { error: 'not XML' }), result('2')] } })
    expect(list.map(({ canRetry }) => canRetry)).toEqual([true, false, false, false])
    list = entries(list, { type: 'again', id: 0 })
    expect(told(list)[0]).toEqual(['a.nzb', 'sending', null])
    expect(list[0]?.canRetry).toBe(false)
  })

  it('is cleared but for what is still on its way', () => {
    const list = entries(begin('a', 'b'), { type: 'fail', ids: [0], error: 'x' })
    expect(told(entries(list, { type: 'clear' }))).toEqual([['b', 'sending', null]])
  })
})

describe('lanes', () => {
  it('run so many at once, in order, and tell when all have ended', async () => {
    const idle = vi.fn()
    const lanes = new Lanes(2, idle)
    const begun: number[] = []
    const ends: (() => void)[] = []
    for (let at = 0; at < 3; at++) lanes.add(() => new Promise<void>((resolve) => { begun.push(at); ends.push(resolve) }))
    expect(begun).toEqual([0, 1])
    ends[0]?.()
    await vi.waitFor(() => expect(begun).toEqual([0, 1, 2]))
    expect(idle).not.toHaveBeenCalled()
    ends[1]?.()
    ends[2]?.()
    await vi.waitFor(() => expect(idle).toHaveBeenCalledOnce())
  })
})
