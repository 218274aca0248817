using NzbDav.Torrents.Status;

namespace NzbDav.Api.Native.Torrents;

/// <summary>Consecutive pieces in the same state.</summary>
/// <param name="State">Their state.</param>
/// <param name="Length">Number of pieces.</param>
internal sealed record PieceRunBody(PieceState State, int Length);
