import { serverAhead } from '~/api/clock'
import { useFormat } from '~/ui/format/useFormat'
import { useNow } from '~/ui/useNow'

/** How long ago something was; the exact time in the tooltip. */
export function When({ time }: { time: string }) {
  const format = useFormat()
  const now = useNow() + serverAhead()
  return <time dateTime={time} title={format.dateTime(time)}>{format.relative(time, Math.max(now, Date.parse(time)))}</time>
}
