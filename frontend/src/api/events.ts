import { address } from './address'
import { backoff } from './backoff'
import type { EventData, EventName } from './types'

type Handler = <N extends EventName>(name: N, data: EventData[N]) => void

/** Where the live stream stands: `away` since a time, with the next attempt. */
export type Connection = { state: 'connecting' | 'open' } | { state: 'away'; since: number; next: number }

/** Silence after which the stream counts as broken; the server sends `ping` every 15 s. */
const Silence = 40_000
const Names: readonly EventName[] = ['hello', 'reset', 'ping', 'jobs', 'streams', 'status', 'providers', 'torrents', 'files', 'queue', 'settings', 'log']

/**
 * One stream of server-sent events for the whole page. EventSource gives up for good on a status that is not 200 and sees no half-open connection, so this one
 * watches for silence, begins anew with back-off, and closes while the page is hidden for long. `handle` gets `reset` whenever events may be missing.
 */
export class EventStream {
  private source: EventSource | null = null
  private attempt = 0
  private last = ''
  private away = 0
  private timer: number | undefined
  private watchdog: number | undefined
  private hiding: number | undefined

  constructor(private readonly topics: string, private readonly handle: Handler, private readonly tell: (connection: Connection) => void) {
    document.addEventListener('visibilitychange', this.visibility)
    this.open()
  }

  /** Ends it for good. */
  close(): void {
    document.removeEventListener('visibilitychange', this.visibility)
    clearTimeout(this.hiding)
    this.shut()
  }

  /** Tries at once while the server is away. */
  retry(): void {
    if (this.away !== 0) this.open()
  }

  private readonly visibility = () => {
    clearTimeout(this.hiding)
    if (document.hidden) this.hiding = window.setTimeout(() => this.shut(), 30_000)
    else if (this.source === null) this.open()
  }

  private shut(): void {
    clearTimeout(this.timer)
    clearTimeout(this.watchdog)
    this.source?.close()
    this.source = null
  }

  private open(): void {
    this.shut()
    if (this.away === 0) this.tell({ state: 'connecting' })
    const url = new URL(address('api/v1/events'))
    url.searchParams.set('topics', this.topics)
    if (this.last !== '') url.searchParams.set('after', this.last)
    const source = new EventSource(url)
    this.source = source
    source.onerror = () => this.lost()
    for (const name of Names) source.addEventListener(name, (event: MessageEvent<string>) => this.take(name, event))
    this.listen()
  }

  private take(name: EventName, event: MessageEvent<string>): void {
    this.listen()
    if (event.lastEventId !== '') this.last = event.lastEventId
    if (name === 'hello') {
      this.attempt = 0
      this.away = 0
      this.tell({ state: 'open' })
    }
    this.handle(name, JSON.parse(event.data) as never)
  }

  private listen(): void {
    clearTimeout(this.watchdog)
    this.watchdog = window.setTimeout(() => this.lost(), Silence)
  }

  private lost(): void {
    this.shut()
    if (this.away === 0) this.away = Date.now()
    const wait = backoff(this.attempt++)
    this.tell({ state: 'away', since: this.away, next: Date.now() + wait })
    this.timer = window.setTimeout(() => this.open(), wait)
  }
}
