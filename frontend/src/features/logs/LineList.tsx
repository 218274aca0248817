import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react'
import type { LogLine } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { Level } from './Level'
import classes from './Logs.module.css'
import { text } from './text'

const Height = 28
const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }

type Props = { lines: readonly LogLine[]; chosen: number | null; onChoose: (id: number | null) => void; follow: boolean; onFollow: (follow: boolean) => void }

/** The lines, newest at the bottom. Follows them until one scrolls up. */
export function LineList({ lines, chosen, onChoose, follow, onFollow }: Props) {
  const t = useText(text)
  const format = useFormat()
  const scroller = useRef<HTMLDivElement>(null)
  // eslint-disable-next-line react-hooks/incompatible-library
  const rows = useVirtualizer({ count: lines.length, getScrollElement: () => scroller.current, estimateSize: () => Height, overscan: 12, getItemKey: (at) => lines[at]?.id ?? at })
  const last = lines.at(-1)?.id
  useEffect(() => {
    if (follow && last !== undefined) scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [follow, last])

  // Its details may have come to stand where the line was.
  const show = useEffectEvent((id: number) => rows.scrollToIndex(lines.findIndex((line) => line.id === id)))
  useEffect(() => {
    if (chosen === null) return undefined
    const frame = requestAnimationFrame(() => show(chosen))
    return () => cancelAnimationFrame(frame)
  }, [chosen])

  const scrolled = () => {
    const box = scroller.current
    if (box !== null && follow && box.scrollHeight - box.scrollTop - box.clientHeight > 3 * Height) onFollow(false)
  }
  const move = (event: KeyboardEvent) => {
    const at = lines.findIndex((line) => line.id === chosen)
    const step = steps[event.key]
    const to = step !== undefined ? Math.max(0, Math.min(lines.length - 1, (at < 0 ? lines.length : at) + step)) : event.key === 'Home' ? 0 : event.key === 'End' ? lines.length - 1 : null
    if (event.key === 'Escape') onChoose(null)
    const line = to === null ? undefined : lines[to]
    if (to === null || line === undefined) return
    event.preventDefault()
    onFollow(false)
    onChoose(line.id)
    rows.scrollToIndex(to)
  }
  return (
    <div ref={scroller} className={classes.list} role="listbox" aria-label={t.lines} tabIndex={0} aria-activedescendant={chosen === null ? undefined : `line-${chosen}`} onScroll={scrolled} onKeyDown={move}>
      <div className={classes.space} style={{ height: rows.getTotalSize() }} role="presentation">
        {rows.getVirtualItems().map((row) => {
          const line = lines[row.index]
          if (line === undefined) return null
          return (
            // eslint-disable-next-line jsx-a11y/click-events-have-key-events -- the list takes the keys
            <div key={row.key} id={`line-${line.id}`} role="option" tabIndex={-1} aria-selected={line.id === chosen} className={classes.line} style={{ transform: `translateY(${row.start}px)` }} onClick={() => { onFollow(false); onChoose(line.id === chosen ? null : line.id) }}>
              <time dateTime={line.time} className={classes.dim}>{format.timeOfDay(line.time)}</time>
              <Level level={line.level} />
              <span className={`${classes.cut} ${classes.category} ${classes.dim}`}>{line.category.split('.').at(-1)}</span>
              <span className={classes.cut}>{line.message}</span>
            </div>
          )
        })}
      </div>
    </div>
  )
}
