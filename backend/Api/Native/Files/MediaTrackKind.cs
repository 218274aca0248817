namespace NzbDav.Api.Native.Files;


/// <summary>What a track is.</summary>
internal enum MediaTrackKind
{
    /// <summary>Pictures.</summary>
    Video,

    /// <summary>Sound.</summary>
    Audio,

    /// <summary>Text, or pictures of text.</summary>
    Subtitle,
}
