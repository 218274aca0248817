import { useEffect, useState } from 'react'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './notes.module.css'

type Props = { said: { text: string; at: number } | null; resumed: number | null; onRestart: () => void }

/** What a key has done, for a moment; and that the film goes on where it was left. */
export function Said({ said, resumed, onRestart }: Props) {
  const t = useText(text)
  const format = useFormat()
  const [gone, setGone] = useState<number | null>(null)
  useEffect(() => {
    if (said === null) return undefined
    const timer = setTimeout(() => setGone(said.at), 1200)
    return () => clearTimeout(timer)
  }, [said])
  const fresh = said !== null && said.at !== gone
  return (
    <div role="status">
      {fresh && <span className={classes.said}>{said.text}</span>}
      {!fresh && resumed !== null && <span className={classes.said}>{t.resumed(format.clock(resumed))}<button type="button" onClick={onRestart}>{t.restart}</button></span>}
    </div>
  )
}
