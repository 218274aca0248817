namespace NzbDav.Library.Media;

/// <summary>The media information in a file's container.</summary>
/// <param name="Container">Its name for people; null: none that is known.</param>
/// <param name="Type">Its media type, without codecs; null without a container.</param>
/// <param name="Duration">How long it plays; null: not told.</param>
/// <param name="Tracks">In the container's order.</param>
/// <param name="Reason">Why less is known than could be; null: nothing is missing.</param>
public sealed record MediaInfo(string? Container, string? Type, TimeSpan? Duration, IReadOnlyList<MediaTrack> Tracks, string? Reason = null)
{
    /// <summary>The media type with the codecs of the tracks that a player takes by itself: the first default video and audio. Null without
    /// a container.</summary>
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
/// <param name="Kind">What it is.</param>
/// <param name="Codec">As RFC 6381 writes it (<c>avc1.640028</c>); null: not known, or nothing that browsers are asked about.</param>
/// <param name="Name">The codec's name for people.</param>
/// <param name="Language">As the container has it; null: none.</param>
/// <param name="Width">Pixels; null unless it is video.</param>
/// <param name="Height">Pixels; null unless it is video.</param>
/// <param name="Channels">Null unless it is audio.</param>
/// <param name="IsDefault">Players take it unless told otherwise.</param>
public sealed record MediaTrack(TrackKind Kind, string? Codec, string Name, string? Language = null, int? Width = null, int? Height = null,
    int? Channels = null, bool IsDefault = true);

/// <summary>What a track is.</summary>
public enum TrackKind
{
    /// <summary>Pictures.</summary>
    Video,

    /// <summary>Sound.</summary>
    Audio,

    /// <summary>Text, or pictures of text.</summary>
    Subtitle,
}
