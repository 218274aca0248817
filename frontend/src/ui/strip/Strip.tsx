import { useMemo } from 'react'
import { layout, type Segment } from './layout'
import classes from './Strip.module.css'

/** The kinds a strip can show. `a` and `b` take turns; `hole` is taller than the others, so that it does not depend on colour. */
export type StripKind = 'a' | 'b' | 'held' | 'wanted' | 'missing' | 'hole'

const Columns = 600
const weights: Record<StripKind, number> = { a: 1, b: 1, held: 1, missing: 1, wanted: 4, hole: Infinity }

type Props = { segments: readonly Segment<StripKind>[]; total: number; label: string }

/** A bar that shows what is where in a file or torrent. `label` says the same in words. */
export function Strip({ segments, total, label }: Props) {
  const bars = useMemo(() => layout(segments, total, Columns, weights), [segments, total])
  return (
    <svg className={classes.strip} viewBox={`0 0 ${Columns} 24`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect className={classes.ground} x="0" y="4" width={Columns} height="16" />
      {bars.filter(({ kind }) => kind !== 'hole').map(({ x, width, kind }) => <rect key={x} className={classes[kind]} x={x} width={width} y={4} height={16} />)}
      {bars.filter(({ kind }) => kind === 'hole').map(({ x, width }) => <rect key={x} className={classes.hole} x={x} width={Math.max(width, 2)} height={24} />)}
    </svg>
  )
}
