/** To be built. */
export default function BackupsPage() {
  return null
}
