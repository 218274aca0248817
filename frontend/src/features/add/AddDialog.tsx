import { Button, Checkbox, FileButton, Group, Modal, PasswordInput, Select, Stack, Text, Textarea } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { root } from '~/api/address'
import { queueQuery } from '~/api/queries'
import { useText } from '~/ui/text/catalogue'
import { inKeys } from '~/ui/text/keys'
import classes from './add.module.css'
import { Entries } from './Entries'
import { text } from './text'
import type { AddOptions } from './upload'
import type { Add } from './useAdd'

const priorities = [['force', 2], ['high', 1], ['normal', 0], ['low', -1]] as const

type Props = { add: Add; link: string; options: AddOptions; onOptions: (options: AddOptions) => void; onClose: () => void }

/** Adds with care: with category, password, priority. What is dropped while it is open takes these, too. */
export default function AddDialog({ add, link, options, onOptions, onClose }: Props) {
  const t = useText(text)
  const categories = useQuery(queueQuery).data?.categories ?? []
  const [links, setLinks] = useState(link)
  const [fault, setFault] = useState<string | null>(null)
  // Browsers let a page do so only where nobody on the way can change it.
  const handles = window.isSecureContext && 'registerProtocolHandler' in navigator
  const handle = () => navigator.registerProtocolHandler('magnet', `${root.href}?add=1&link=%s`)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (busy) return
    const taken = add.addText(links, options)
    if (taken === null) {
      setFault(t.noLinks)
      return
    }
    setBusy(true)
    // What is typed meanwhile stays, and so does what did not arrive.
    if (await taken) setLinks((now) => (now.startsWith(links) ? now.slice(links.length).trimStart() : now))
    setBusy(false)
  }
  // What failed as a whole stands in the field as well, and would be sent twice from there.
  const again = (id: number) => {
    setLinks('')
    add.again(id, options)
  }
  return (
    <Modal opened onClose={onClose} title={t.title} size="lg" closeButtonProps={{ 'aria-label': t.close }}>
      <Stack>
        <div className={classes.zone}>
          <IconUpload size={28} aria-hidden />
          <FileButton multiple onChange={(files) => add.addFiles(files, options)}>
            {(props) => <Button {...props} variant="default" data-autofocus>{t.choose}</Button>}
          </FileButton>
          <Text c="dimmed" size="sm">{t.orDrop}: {t.dropText}</Text>
        </div>
        <Textarea label={t.links} description={inKeys(t.linksText)} autosize minRows={2} maxRows={8} value={links} error={fault} spellCheck={false} classNames={{ input: classes.linksInput }}
          onChange={(event) => { setLinks(event.currentTarget.value); setFault(null) }} onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send() }} />
        <div className={classes.options}>
          <Select label={t.category} data={categories} value={options.category} placeholder={t.byDefault} clearable onChange={(category) => onOptions({ ...options, category })} />
          <Select label={t.priority} data={priorities.map(([name, value]) => ({ value: String(value), label: t.priorities[name] }))} value={options.priority === null ? null : String(options.priority)} placeholder={t.byDefault} clearable
            onChange={(value) => onOptions({ ...options, priority: value === null ? null : Number(value) })} />
          <PasswordInput label={t.password} description={t.passwordText} autoComplete="off" inputWrapperOrder={['label', 'input', 'description']} value={options.password ?? ''} onChange={(event) => onOptions({ ...options, password: event.currentTarget.value || null })} />
          <Checkbox label={t.paused} checked={options.paused} mt={30} onChange={(event) => onOptions({ ...options, paused: event.currentTarget.checked })} />
        </div>
        <Group justify="flex-end">
          {handles && <Button variant="subtle" mr="auto" title={t.handleText} onClick={handle}>{t.handle}</Button>}
          <Button variant="default" onClick={onClose}>{t.close}</Button>
          <Button onClick={() => void send()} loading={busy} disabled={links.trim() === ''}>{t.addLinks}</Button>
        </Group>
        <div role="status">{add.list.length > 0 && <Entries list={add.list} onAgain={again} />}</div>
      </Stack>
    </Modal>
  )
}
