namespace NzbDav.Api.Native.Files;


/// <summary>Kind of a track.</summary>
internal enum MediaTrackKind
{
    /// <summary>Video.</summary>
    Video,

    /// <summary>Audio.</summary>
    Audio,

    /// <summary>Subtitles, as text or as pictures of text.</summary>
    Subtitle,
}
