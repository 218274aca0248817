namespace NzbDav.WebDav.Properties;

/// <summary>What a PROPFIND asks for.</summary>
internal enum PropFindKind
{
    /// <summary>Values of all common properties, and of the named ones.</summary>
    AllProperties,

    /// <summary>Values of the named properties.</summary>
    Named,

    /// <summary>The names of what there is.</summary>
    Names,
}
