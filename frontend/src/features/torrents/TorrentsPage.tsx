/** To be built. */
export default function TorrentsPage() {
  return null
}
