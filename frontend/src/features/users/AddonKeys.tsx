import { Alert, Button, Group, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyButton } from '~/ui/CopyButton'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { useFormat } from '~/ui/format/useFormat'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import type { AddonKey } from '~/api/types'
import { addonKeysQuery, useAddonKeys } from './calls'
import { text } from './text'

/** The addresses of the add-on for Stremio: each is told once, and can be revoked. */
export function AddonKeys() {
  const t = useText(text)
  const format = useFormat()
  const { data, error, refetch } = useQuery(addonKeysQuery)
  const { add, revoke } = useAddonKeys()
  const [name, setName] = useState('')
  const [leaving, setLeaving] = useState<AddonKey | null>(null)
  const make = () => add.mutate(name, { onSuccess: () => setName('') })
  const close = () => {
    revoke.reset()
    setLeaving(null)
  }
  return (
    <section aria-label={t.stremio}>
      <Title order={2}>{t.stremio}</Title>
      <Text size="sm" c="dimmed" mb="xs">{t.stremioHint}</Text>
      {error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      <div className="surface" style={{ maxWidth: 760 }}>
        {data?.map((key) => (
          <Group key={key.id} justify="space-between" px="md" py="xs" data-addon={key.id}>
            <div style={{ flex: 1, minWidth: 180 }}>
              <Text fw={600} style={{ overflowWrap: 'anywhere' }}>{key.name}</Text>
              <Text size="sm" c="dimmed">{t.addonMade(format.dateTime(key.made))}</Text>
            </div>
            <Button size="compact-sm" variant="subtle" color="red" aria-label={t.revokeAddonOf(key.name)} onClick={() => setLeaving(key)}>{t.revokeAddon}</Button>
          </Group>
        ))}
        <form onSubmit={(event) => { event.preventDefault(); make() }}>
          <Group px="md" py="xs" gap="xs" align="flex-end">
            <TextInput flex="1 1 200px" maw={420} label={t.addonName} placeholder={t.addonPlaceholder} maxLength={100} value={name} onChange={(event) => setName(event.currentTarget.value)} />
            <Button type="submit" variant="default" loading={add.isPending} disabled={name.trim() === ''}>{t.makeAddress}</Button>
          </Group>
        </form>
        {add.error !== null && <ErrorNote error={add.error} />}
      </div>
      {add.data !== undefined && (
        <Alert mt="sm" maw={760} title={t.addressOf(add.data.key.name)} color="gray" role="status">
          <Text size="sm" mb={6}>{t.addressOnce}</Text>
          <Text className="mono" size="sm" style={{ overflowWrap: 'anywhere' }} data-address>{add.data.address}</Text>
          <Group gap="xs" mt={8}>
            <CopyButton value={add.data.address} />
            <Button component="a" size="compact-sm" variant="default" href={add.data.install}>{t.install}</Button>
          </Group>
        </Alert>
      )}
      {leaving !== null && (
        <ConfirmDialog title={t.revokeTitle(leaving.name)} hint={t.revokeHint} confirm={t.revokeAddon} act={revoke} onClose={close} onConfirm={() => revoke.mutate(leaving.id, { onSuccess: () => { if (add.data?.key.id === leaving.id) add.reset(); close() } })} />
      )}
    </section>
  )
}
