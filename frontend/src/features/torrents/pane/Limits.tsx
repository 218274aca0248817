import { Button, NumberInput, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { limitTorrent, torrentDetails } from '~/api/torrents'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './pane.module.css'
import { isWrong, numberOf, type Typed } from './typed'

const shown = (rate: number | null): Typed => (rate === null ? '' : Math.round(rate / 1000))
const sent = (typed: Typed): number | null => {
  const rate = numberOf(typed)
  return rate === null ? null : rate * 1000
}

/** What a torrent may send to its peers and get from them. */
export function Limits({ hash, upRate, downRate }: { hash: string; upRate: number | null; downRate: number | null }) {
  const t = useText(text)
  const client = useQueryClient()
  const hint = useId()
  const [up, setUp] = useState(shown(upRate))
  const [down, setDown] = useState(shown(downRate))
  const [tried, setTried] = useState(false)
  const call = useMutation({
    mutationFn: async () => limitTorrent(hash, sent(up), sent(down)),
    onSuccess: () => {
      notifications.show({ message: t.saved, autoClose: 4000 })
      void client.invalidateQueries(torrentDetails(hash))
    },
  })
  const submit = () => {
    const wrong = isWrong(down) || isWrong(up)
    setTried(wrong)
    if (!wrong) call.mutate()
  }
  const error = (typed: Typed) => tried && isWrong(typed) && t.noNumber
  const rate = { suffix: ' KB/s', allowDecimal: false, placeholder: t.noLimit, 'aria-describedby': hint, errorProps: { role: 'alert' } }
  return (
    <Stack gap={4}>
      <Title order={3}>{t.limits}</Title>
      <form className={classes.form} onSubmit={(event) => { event.preventDefault(); submit() }}>
        <NumberInput {...rate} label={t.downLimit} min={17} value={down} error={error(down)} onChange={setDown} />
        <NumberInput {...rate} label={t.upLimit} min={2} value={up} error={error(up)} onChange={setUp} />
        <Text id={hint} size="sm" c="dimmed">{t.rateHint}</Text>
        <Button type="submit" variant="default" loading={call.isPending}>{t.save}</Button>
        {call.error !== null && <div className={classes.wide}><ErrorNote error={call.error} /></div>}
      </form>
    </Stack>
  )
}
