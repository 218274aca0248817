using NzbDav.Content;

namespace NzbDav.Archives.Recovery;

/// <summary>A file of a set that is to be repaired.</summary>
/// <param name="Described">What the set says of it.</param>
/// <param name="Content">Its bytes, of the length that the set says; null when none of it is there.</param>
/// <param name="Holes">What of it is known to be gone.</param>
public sealed record RepairFile(Par2File Described, IContent? Content, IReadOnlyList<Hole> Holes);
