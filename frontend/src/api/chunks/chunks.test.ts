import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ChunkStore, GoneError } from './ChunkStore'
import { load } from './load'

/** A server by its answers: the status of each file, 0 while it is away. */
let status: Record<string, number>
let asked: string[]
let timers: Set<() => void>
let store: ChunkStore
const pass = () => { for (const timer of [...timers]) timer() }
/** Lets all that can go on do so. */
const turn = () => new Promise((done) => setTimeout(done))

beforeEach(() => {
  status = {}
  asked = []
  timers = new Set()
  store = new ChunkStore({
    get: (url) => {
      asked.push(url)
      return Promise.resolve(status[url] ?? 200)
    },
    setTimer: (call) => {
      timers.add(call)
      return () => timers.delete(call)
    },
  })
})

describe('files of the page', () => {
  it('are fetched once', async () => {
    await Promise.all([store.have(['a.js', 'b.css']), store.have(['b.css'])])
    await store.have(['a.js'])
    expect(asked).toEqual(['a.js', 'b.css'])
  })

  it('are tried again until the server is back, and only those that are missing', async () => {
    status['a.js'] = 0
    const done = vi.fn()
    const all = store.have(['a.js', 'b.js']).then(done)
    await turn()
    expect(store.isStuck()).toBe(true)
    status['a.js'] = 503
    pass()
    await turn()
    expect(done).not.toHaveBeenCalled()
    status['a.js'] = 200
    pass()
    await all
    expect(asked).toEqual(['a.js', 'b.js', 'a.js', 'a.js'])
    expect(store.isStuck()).toBe(false)
  })

  it('are tried at once when the server has answered elsewhere', async () => {
    status['a.js'] = 0
    const all = store.have(['a.js'])
    await turn()
    status['a.js'] = 200
    store.wake()
    await all
    expect(timers.size).toBe(0)
  })

  it('are gone when the server says so, until they are asked for again', async () => {
    status['a.js'] = 404
    await expect(store.have(['a.js'])).rejects.toEqual(new GoneError('a.js'))
    expect(store.isStuck()).toBe(false)
    status['a.js'] = 200
    await store.have(['a.js'])
  })

  it('tell listeners when they begin to fail and when they no longer do', async () => {
    const told: boolean[] = []
    store.listen(() => told.push(store.isStuck()))
    status['a.js'] = status['b.js'] = 0
    const all = store.have(['a.js', 'b.js'])
    await turn()
    pass()
    await turn()
    status = {}
    pass()
    await all
    expect(told).toEqual([true, false])
  })

  it('a server answers also with an error of its own that is no failure', async () => {
    status.page = 0
    const answer = store.answers('page')
    await turn()
    status.page = 401
    pass()
    await answer
  })
})

describe('an import', () => {
  const missing = new TypeError('Failed to fetch dynamically imported module: http://host/a.js')

  it('begins once all files and styles are there', async () => {
    status['a.css'] = 0
    const order: string[] = []
    const module = load(() => { order.push('code'); return Promise.resolve(1) }, ['a.js', 'a.css'], store, (url) => { order.push(url); return Promise.resolve() })
    await turn()
    expect(order).toEqual([])
    status['a.css'] = 200
    pass()
    expect(await module).toBe(1)
    expect(order).toEqual(['a.css', 'code'])
  })

  it('that fails all the same is tried again with its files fetched anew', async () => {
    const code = vi.fn().mockRejectedValueOnce(missing).mockResolvedValueOnce('module')
    expect(await load(code, ['a.js'], store)).toBe('module')
    expect(asked).toEqual(['a.js', 'a.js'])
  })

  it('counts as gone when the browser keeps the failure', async () => {
    const code = vi.fn().mockRejectedValue(missing)
    await expect(load(code, ['a.js'], store)).rejects.toBeInstanceOf(GoneError)
    expect(code).toHaveBeenCalledTimes(3)
  })

  it('passes on what the code itself throws', async () => {
    const fault = new TypeError('x is undefined')
    await expect(load(() => Promise.reject(fault), ['a.js'], store)).rejects.toBe(fault)
  })
})
