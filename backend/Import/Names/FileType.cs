namespace NzbDav.Import;

/// <summary>What a file is, as far as imports care.</summary>
public enum FileType
{
    /// <summary>Nothing that is known.</summary>
    Unknown,

    /// <summary>A film, an episode.</summary>
    Video,

    /// <summary>Music, speech.</summary>
    Audio,

    /// <summary>A picture.</summary>
    Image,

    /// <summary>Subtitles.</summary>
    Subtitle,

    /// <summary>A book, a comic.</summary>
    Document,

    /// <summary>Packed files: RAR, 7z, zip.</summary>
    Archive,

    /// <summary>Recovery data.</summary>
    Recovery,

    /// <summary>An image of a disc.</summary>
    Disc,
}
