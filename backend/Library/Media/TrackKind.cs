namespace NzbDav.Library.Media;

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
