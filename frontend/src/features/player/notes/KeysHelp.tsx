import { Kbd, Modal } from '@mantine/core'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'
import classes from './notes.module.css'

/** The keys of the player. Not in a portal: in full screen nothing else is to be seen. */
export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useText(text)
  return (
    <Modal opened={opened} onClose={onClose} title={t.help} withinPortal={false} centered classNames={{ inner: classes.help }} closeButtonProps={{ 'aria-label': t.close }}>
      <dl className={classes.keys}>
        {t.keys.map(([keys, what]) => <div key={keys}><dt><Kbd>{keys}</Kbd></dt><dd>{what}</dd></div>)}
      </dl>
    </Modal>
  )
}
