namespace NzbDav.Api.Native.Files;


/// <summary>What a file's container says of itself.</summary>
/// <param name="Container">Its name: <c>Matroska</c>, <c>WebM</c>, <c>MP4</c>, <c>AVI</c>, <c>MPEG-TS</c>…; null: none that is known.</param>
/// <param name="Mime">Media type with codecs, fit for <c>canPlayType</c>; null without a container.</param>
/// <param name="DurationSeconds">How long it plays; null: not told.</param>
/// <param name="Tracks">In the container's order.</param>
/// <param name="Reason">Why less is known than could be; null: nothing is missing.</param>
internal sealed record MediaBody(string? Container, string? Mime, double? DurationSeconds, IReadOnlyList<MediaTrackBody> Tracks, string? Reason);
