namespace NzbDav.Archives.Recovery;

/// <summary>Bytes of a file that cannot be read.</summary>
/// <param name="Start">The first of them.</param>
/// <param name="End">One past the last.</param>
public readonly record struct Hole(long Start, long End);
