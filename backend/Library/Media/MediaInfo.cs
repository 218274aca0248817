namespace NzbDav.Library.Media;

/// <summary>The media information in a file's container.</summary>
/// <param name="Container">Its name for people; null: none that is known.</param>
/// <param name="Type">Its media type, without codecs; null without a container.</param>
/// <param name="Duration">How long it plays; null: not told.</param>
/// <param name="Tracks">In the container's order.</param>
/// <param name="Reason">Why less is known than could be; null: nothing is missing.</param>
public sealed record MediaInfo(string? Container, string? Type, TimeSpan? Duration, IReadOnlyList<MediaTrack> Tracks, string? Reason = null)
{
    /// <summary>The media type with the codecs of the tracks that a player takes by itself: the first default video and audio. Null without a container.</summary>
    public string? Mime
    {
        get
        {
            string?[] codecs = [Main(TrackKind.Video)?.Codec, Main(TrackKind.Audio)?.Codec];
            var known = string.Join(", ", codecs.OfType<string>());
            return Type is null || known.Length == 0 ? Type : $"{Type}; codecs=\"{known}\"";
        }
    }

    private MediaTrack? Main(TrackKind kind) => Tracks.FirstOrDefault(track => track.Kind == kind && track.IsDefault) ?? Tracks.FirstOrDefault(track => track.Kind == kind);
}
