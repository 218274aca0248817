namespace NzbDav.Torrents.Metadata;

/// <summary>Kind of the token that a <see cref="BencodeReader"/> read last.</summary>
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
