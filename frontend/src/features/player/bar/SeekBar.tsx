import { useState } from 'react'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import type { VideoState } from '../screen/useVideoState'
import { text } from '../text'
import classes from './bar.module.css'

type Props = { state: VideoState; onSeek: (to: number) => void }

/** The position. Dragging shows where one would land and goes there when let go: a request for each pixel on the way would be wasted. */
export function SeekBar({ state: { time, duration, buffered }, onSeek }: Props) {
  const t = useText(text)
  const format = useFormat()
  const [drag, setDrag] = useState<number | null>(null)
  const [held, setHeld] = useState(false)
  // Where the film was when the bar was let go. Until it has moved, the bar stays at its target: drawn at the old time, the browser's `change` that follows would lead back.
  const [left, setLeft] = useState<number | null>(null)
  if (left !== null && left !== time) {
    setLeft(null)
    setDrag(null)
  }
  const known = Number.isFinite(duration) && duration > 0
  const at = drag ?? time
  const drop = () => {
    if (held && drag !== null) {
      onSeek(drag)
      setLeft(time)
    }
    setHeld(false)
  }
  return (
    <div className={classes.seek}>
      <div className={classes.track} aria-hidden>
        {known && buffered.map(([start, end]) => <span key={start} className={classes.buffered} style={{ left: `${start / duration * 100}%`, width: `${(end - start) / duration * 100}%` }} />)}
        {known && <span className={classes.played} style={{ width: `${at / duration * 100}%` }} />}
      </div>
      <input type="range" className={classes.range} min={0} max={known ? duration : 0} step={1} value={at} disabled={!known} aria-label={t.seek}
        aria-valuetext={t.position(format.clock(at), known ? format.clock(duration) : '–')}
        onPointerDown={() => { setHeld(true); setLeft(null); setDrag(null) }} onPointerUp={drop} onPointerCancel={() => { setDrag(null); setHeld(false) }} onBlur={drop}
        onChange={(event) => {
          const to = Number(event.currentTarget.value)
          if (held) setDrag(to)
          else if (to !== drag) onSeek(to)
        }} />
      {held && drag !== null && <output className={classes.preview} style={{ left: `${drag / duration * 100}%` }}>{format.clock(drag)}</output>}
    </div>
  )
}
