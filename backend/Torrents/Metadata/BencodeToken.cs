namespace NzbDav.Torrents.Metadata;

/// <summary>What a <see cref="BencodeReader"/> stands on.</summary>
internal enum BencodeToken
{
    None,
    Integer,
    Text,
    List,
    Dictionary,

    /// <summary>The end of a list or dictionary.</summary>
    End,
}
