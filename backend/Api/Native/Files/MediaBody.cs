namespace NzbDav.Api.Native.Files;


/// <summary>Media information from a file's container.</summary>
/// <param name="Container">Its name: <c>Matroska</c>, <c>WebM</c>, <c>MP4</c>, <c>AVI</c>, <c>MPEG-TS</c>…; null: no known container.</param>
/// <param name="Mime">Media type with codecs, fit for <c>canPlayType</c>; null without a container.</param>
/// <param name="DurationSeconds">Length in seconds; null: the container does not say.</param>
/// <param name="Tracks">In the container's order.</param>
/// <param name="Reason">Why some information is missing; null: nothing is missing.</param>
internal sealed record MediaBody(string? Container, string? Mime, double? DurationSeconds, IReadOnlyList<MediaTrackBody> Tracks, string? Reason);
