import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { useText } from '~/ui/text/catalogue'
import { text } from '../text'

type Props = { count: number; act: { isPending: boolean; error: Error | null }; onConfirm: () => void; onClose: () => void }

/** Asks before all failed jobs leave the list. */
export default function RemoveFailed({ count, act, onConfirm, onClose }: Props) {
  const t = useText(text)
  return <ConfirmDialog title={t.removeFailedTitle(count)} hint={t.removeFailedHint} confirm={t.removeFailed} act={act} onConfirm={onConfirm} onClose={onClose} />
}
