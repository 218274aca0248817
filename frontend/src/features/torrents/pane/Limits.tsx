import { Button, Group, NumberInput, Stack, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { limitTorrent, torrentDetails } from '~/api/torrents'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

const shown = (rate: number | null): number | '' => (rate === null ? '' : Math.round(rate / 1000))
const sent = (typed: number | ''): number | null => (typed === '' ? null : typed * 1000)

/** What a torrent may send to its peers and get from them. */
export function Limits({ hash, upRate, downRate }: { hash: string; upRate: number | null; downRate: number | null }) {
  const t = useText(text)
  const client = useQueryClient()
  const [up, setUp] = useState(shown(upRate))
  const [down, setDown] = useState(shown(downRate))
  const call = useMutation({
    mutationFn: async () => limitTorrent(hash, sent(up), sent(down)),
    onSuccess: () => {
      notifications.show({ message: t.saved, autoClose: 4000 })
      void client.invalidateQueries(torrentDetails(hash))
    },
  })
  return (
    <Stack gap={4}>
      <Title order={3}>{t.limits}</Title>
      <Group align="flex-end" gap="xs">
        <NumberInput label={t.downLimit} description={t.downHint} suffix=" KB/s" min={17} allowDecimal={false} value={down} onChange={(value) => setDown(typeof value === 'number' ? value : '')} />
        <NumberInput label={t.upLimit} description={t.upHint} suffix=" KB/s" min={2} allowDecimal={false} value={up} onChange={(value) => setUp(typeof value === 'number' ? value : '')} />
        <Button variant="default" loading={call.isPending} onClick={() => call.mutate()}>{t.save}</Button>
      </Group>
      {call.error !== null && <ErrorNote error={call.error} />}
    </Stack>
  )
}
