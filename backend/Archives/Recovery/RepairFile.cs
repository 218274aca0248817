using NzbDav.Content;

namespace NzbDav.Archives.Recovery;

/// <summary>A file of a set to be repaired.</summary>
/// <param name="Described">Its description in the set.</param>
/// <param name="Content">Its bytes, of the length in the set; null if none of them are available.</param>
/// <param name="Holes">Ranges known to be missing.</param>
public sealed record RepairFile(Par2File Described, IContent? Content, IReadOnlyList<Hole> Holes);
