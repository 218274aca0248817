namespace NzbDav.Archives.Recovery;

/// <summary>A slice that was made again, and is as the set says.</summary>
/// <param name="File">Its place in the list of files that was given.</param>
/// <param name="Offset">Of its first byte in the file.</param>
/// <param name="Bytes">Up to the end of the file at most.</param>
public readonly record struct MendedSlice(int File, long Offset, ReadOnlyMemory<byte> Bytes);
