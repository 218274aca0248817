import { Button, Checkbox, Group, List, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { root } from '~/api/address'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/state/ErrorNote'
import { useText } from '~/ui/text/catalogue'
import { useRegister } from './calls'
import { text } from './text'

type Props = { opened: boolean; onClose: () => void; number: number; name: string }

/** Asks how an *arr reaches this server, and makes the server a download client there. */
export function RegisterModal({ opened, onClose, number, name }: Props) {
  const all = useText(text)
  const t = all.arrs
  const register = useRegister()
  const [host, setHost] = useState(root.hostname)
  const [port, setPort] = useState<number | string>(Number(root.port) || (root.protocol === 'https:' ? 443 : 80))
  const [useSsl, setSsl] = useState(root.protocol === 'https:')
  const [localPath, setLocalPath] = useState('')
  const [torrents, setTorrents] = useState(false)
  const done = register.data
  return (
    <Dialog opened={opened} onClose={onClose} title={t.registerTitle(name)}>
      <form onSubmit={(event) => { event.preventDefault(); register.mutate({ number, body: { host, port: Number(port), useSsl, localPath: localPath === '' ? null : localPath, torrents } }) }}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">{t.registerHint}</Text>
          <TextInput label={t.host} required value={host} onChange={(event) => setHost(event.currentTarget.value)} data-autofocus />
          <NumberInput label={t.port} required min={1} max={65535} allowDecimal={false} value={port} onChange={setPort} />
          <Checkbox label={t.tls} checked={useSsl} onChange={(event) => setSsl(event.currentTarget.checked)} />
          <TextInput label={t.localPath} description={t.localPathHint} value={localPath} onChange={(event) => setLocalPath(event.currentTarget.value)} />
          <Checkbox label={t.forTorrents} description={t.forTorrentsHint} checked={torrents} onChange={(event) => setTorrents(event.currentTarget.checked)} />
          {register.error !== null && <ErrorNote error={register.error} />}
          <div role="status">
            {done !== undefined && <Text c="var(--nz-done)">{done.created ? t.created(name) : t.updated(name)}</Text>}
            {done !== undefined && done.warnings.length > 0 && <List size="sm">{done.warnings.map((warning) => <List.Item key={warning}>{warning}</List.Item>)}</List>}
          </div>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>{all.cancel}</Button>
            <Button type="submit" loading={register.isPending}>{t.registerDo}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
