namespace NzbDav.Archives.Recovery;

/// <summary>A slice that was restored and verified against the set.</summary>
/// <param name="File">Index of its file in the list that was given to the repair.</param>
/// <param name="Offset">Offset of its first byte in the file.</param>
/// <param name="Bytes">Its bytes; not beyond the end of the file.</param>
public readonly record struct MendedSlice(int File, long Offset, ReadOnlyMemory<byte> Bytes);
