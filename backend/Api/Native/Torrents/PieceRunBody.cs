using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>Pieces in a row that stand alike.</summary>
/// <param name="State">How they stand.</param>
/// <param name="Length">How many.</param>
internal sealed record PieceRunBody(PieceState State, int Length);
