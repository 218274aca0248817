import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '~/api/live'
import type { Stream } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { bufferedAhead, type VideoState } from '../screen/useVideoState'
import { text } from '../text'
import classes from './notes.module.css'

/** The stream that this page causes: of this file, through a signed link; the one that moves if there are several. */
export function streamOf(streams: readonly Stream[], id: string): Stream | undefined {
  const own = streams.filter(({ itemId }) => itemId === id)
  return own.filter(({ via }) => via === 'view').sort((a, b) => b.rate - a.rate)[0] ?? own[0]
}

/** Figures, on demand: what the browser has and what the server does for it. */
export function Stats({ id, state }: { id: string; state: VideoState }) {
  const t = useText(text)
  const format = useFormat()
  // The live stream fills it. A response that has ended, as when all is sent, leaves its last figures.
  const live = streamOf(useQuery<{ streams: Stream[] }>({ queryKey: keys.streams, enabled: false }).data?.streams ?? [], id)
  const [last, setLast] = useState(live)
  if (live !== undefined && live !== last) setLast(live)
  const stream = live ?? last
  const s = t.stats
  const rows: [string, string][] = [
    [s.firstByte, stream?.firstByteSeconds == null ? s.unknown : format.duration(stream.firstByteSeconds)],
    [s.firstPicture, state.firstPicture === null ? s.unknown : format.duration(state.firstPicture)],
    [s.buffered, format.duration(bufferedAhead(state.buffered, state.time))],
    [s.ahead, stream === undefined ? s.unknown : format.size(stream.ahead)],
    [s.rate, stream === undefined ? s.unknown : format.rate(live?.rate ?? 0)],
    [s.waits, stream === undefined ? s.unknown : s.waitsOf(format.number(stream.waits), format.duration(stream.waitSeconds))],
    [s.stalls, format.number(state.stalls)],
    [s.inFlight, stream === undefined ? s.unknown : format.number(live?.inFlight ?? 0)],
    [s.waitingFor, live?.waitingFor == null ? s.none : live.waitingProvider === null ? live.waitingFor : s.at(live.waitingFor, live.waitingProvider)],
    [s.dropped, s.ofTotal(format.number(state.dropped), format.number(state.pictures))],
    [s.size, state.width === 0 ? s.none : `${state.width} × ${state.height}`],
  ]
  return (
    <section className={classes.stats} aria-label={s.title}>
      <dl>{rows.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}</dl>
    </section>
  )
}
