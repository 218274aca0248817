namespace NzbDav.Import.Names;

/// <summary>The type of a file, as far as imports need it.</summary>
public enum FileType
{
    /// <summary>Not recognised.</summary>
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
