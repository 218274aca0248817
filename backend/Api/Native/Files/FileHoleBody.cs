using NzbDav.Library.Posts;

namespace NzbDav.Api.Native.Files;

/// <summary>A range of a file's bytes that is known to be missing.</summary>
/// <param name="Offset">First missing byte.</param>
/// <param name="Length">Number of missing bytes.</param>
/// <param name="Reason">Why, as text for people.</param>
/// <param name="Kind">Why: <c>gone</c> holes are listed from the first read that meets them until the article is found after all, the providers change, or the server
/// stops.</param>
/// <param name="Since">When a reader first met it; null if the .nzb does not list the article.</param>
internal sealed record FileHoleBody(long Offset, long Length, string Reason, FileHoleKind Kind, DateTimeOffset? Since);
