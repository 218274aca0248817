import { Button, Group, NumberInput, Stack, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { limitTorrent, torrentDetails } from '~/api/torrents'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** What a torrent may send to its peers. */
export function Limits({ hash, upRate }: { hash: string; upRate: number | null }) {
  const t = useText(text)
  const client = useQueryClient()
  const [typed, setTyped] = useState<number | ''>(upRate === null ? '' : Math.round(upRate / 1000))
  const call = useMutation({
    mutationFn: async () => limitTorrent(hash, typed === '' ? null : typed * 1000),
    onSuccess: () => {
      notifications.show({ message: t.saved, autoClose: 4000 })
      void client.invalidateQueries(torrentDetails(hash))
    },
  })
  return (
    <Stack gap={4}>
      <Title order={3}>{t.limits}</Title>
      <Group align="flex-end" gap="xs">
        <NumberInput label={t.upLimit} description={t.upHint} suffix=" KB/s" min={1} allowDecimal={false} value={typed} onChange={(value) => setTyped(typeof value === 'number' ? value : '')} />
        <Button variant="default" loading={call.isPending} onClick={() => call.mutate()}>{t.save}</Button>
      </Group>
      {call.error !== null && <ErrorNote error={call.error} />}
    </Stack>
  )
}
