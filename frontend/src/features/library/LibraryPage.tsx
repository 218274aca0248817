/** To be built. */
export default function LibraryPage() {
  return null
}
