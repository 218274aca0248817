import { Button, Group, NativeSelect, NumberInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { setPolicy, torrentDetails } from '~/api/torrents'
import type { TorrentPolicy } from '~/api/types'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

/** Where a torrent is kept and seeded otherwise than its category. */
export function PolicyForm({ hash, own }: { hash: string; own: TorrentPolicy }) {
  const t = useText(text)
  const client = useQueryClient()
  const [keep, setKeep] = useState(own.keep === null ? 'category' : own.keep ? 'yes' : 'no')
  const [ratio, setRatio] = useState<number | ''>(own.ratio ?? '')
  const [minutes, setMinutes] = useState<number | ''>(own.seedMinutes ?? '')
  const call = useMutation({
    mutationFn: async () => setPolicy(hash, { ...own, keep: keep === 'category' ? null : keep === 'yes', ratio: ratio === '' ? null : ratio, seedMinutes: minutes === '' ? null : minutes }),
    onSuccess: () => {
      notifications.show({ message: t.policySaved, autoClose: 4000 })
      void client.invalidateQueries(torrentDetails(hash))
    },
  })
  return (
    <Stack gap={4}>
      <Group align="flex-end" gap="xs">
        <NativeSelect label={t.keep} value={keep} onChange={(event) => setKeep(event.currentTarget.value)} data={(['category', 'yes', 'no'] as const).map((value) => ({ value, label: t.keeps[value] }))} />
        <NumberInput label={t.ratioLimit} description={t.limitHint} min={-1} decimalScale={2} value={ratio} onChange={(value) => setRatio(typeof value === 'number' ? value : '')} />
        <NumberInput label={t.minutesLimit} description={t.limitHint} min={-1} allowDecimal={false} value={minutes} onChange={(value) => setMinutes(typeof value === 'number' ? value : '')} />
        <Button variant="default" loading={call.isPending} onClick={() => call.mutate()}>{t.savePolicy}</Button>
      </Group>
      {call.error !== null && <ErrorNote error={call.error} />}
    </Stack>
  )
}
