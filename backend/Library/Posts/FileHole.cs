namespace NzbDav.Library.Posts;

/// <summary>Bytes of a file that are known to be missing.</summary>
/// <param name="Offset">First of them.</param>
/// <param name="Length">How many.</param>
/// <param name="Reason">Why, for people.</param>
/// <param name="Kind">Why.</param>
/// <param name="Since">When a reader first met it; null for what the .nzb does not list.</param>
public sealed record FileHole(long Offset, long Length, string Reason, FileHoleKind Kind = FileHoleKind.Unlisted, DateTimeOffset? Since = null);
