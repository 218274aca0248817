namespace NzbDav.Library.Media;

/// <summary>The media information in a file's container.</summary>
/// <param name="Container">The container's name for people; null: it is not known.</param>
/// <param name="Type">The container's media type, without codecs; null if the container is not known.</param>
/// <param name="Duration">Playing time; null: the container does not say.</param>
/// <param name="Tracks">The tracks, in the container's order.</param>
/// <param name="Reason">Why information is missing; null: it is complete.</param>
public sealed record MediaInfo(string? Container, string? Type, TimeSpan? Duration, IReadOnlyList<MediaTrack> Tracks, string? Reason = null)
{
    /// <summary>
    /// The media type with the codecs of the tracks that a player chooses by itself: the first default video and audio. Null if the
    /// container is not known.
    /// </summary>
    public string? Mime
    {
        get
        {
            string?[] codecs = [Main(TrackKind.Video)?.Codec, Main(TrackKind.Audio)?.Codec];
            var known = string.Join(", ", codecs.OfType<string>());
            return Type is null || known.Length == 0 ? Type : $"{Type}; codecs=\"{known}\"";
        }
    }

    private MediaTrack? Main(TrackKind kind) =>
        Tracks.FirstOrDefault(track => track.Kind == kind && track.IsDefault) ?? Tracks.FirstOrDefault(track => track.Kind == kind);
}

/// <summary>A track, as its container describes it.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Codec">The codec string of RFC 6381 (<c>avc1.640028</c>); null: not known, or none that browsers understand.</param>
/// <param name="Name">The codec's name for people.</param>
/// <param name="Language">The language tag of the container; null: none.</param>
/// <param name="Width">Width in pixels; null unless it is video.</param>
/// <param name="Height">Height in pixels; null unless it is video.</param>
/// <param name="Channels">Number of channels; null unless it is audio.</param>
/// <param name="IsDefault">True if players select it by default.</param>
public sealed record MediaTrack(TrackKind Kind, string? Codec, string Name, string? Language = null, int? Width = null, int? Height = null,
    int? Channels = null, bool IsDefault = true);

/// <summary>The kind of a track.</summary>
public enum TrackKind
{
    /// <summary>Pictures.</summary>
    Video,

    /// <summary>Sound.</summary>
    Audio,

    /// <summary>Text, or images of text.</summary>
    Subtitle,
}
