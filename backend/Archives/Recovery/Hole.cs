namespace NzbDav.Archives.Recovery;

/// <summary>Bytes of a file that cannot be read.</summary>
/// <param name="Start">Offset of the first such byte.</param>
/// <param name="End">Offset after the last one.</param>
public readonly record struct Hole(long Start, long End);
