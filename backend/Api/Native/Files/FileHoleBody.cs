using NzbDav.Library.Posts;

namespace NzbDav.Api.Native.Files;

/// <summary>Bytes of a file that are known to be missing.</summary>
/// <param name="Offset">First of them.</param>
/// <param name="Length">How many.</param>
/// <param name="Reason">Why, for people.</param>
/// <param name="Kind">Why: <c>gone</c> ones are told from the moment that a reader meets them until they are found after all, the providers change, or the server stops.</param>
/// <param name="Since">When a reader first met it; null for what the .nzb does not list.</param>
internal sealed record FileHoleBody(long Offset, long Length, string Reason, FileHoleKind Kind, DateTimeOffset? Since);
