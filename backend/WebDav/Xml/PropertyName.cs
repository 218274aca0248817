namespace NzbDav.WebDav.Xml;

/// <summary>An XML name with its namespace.</summary>
/// <param name="Namespace">Namespace URI; empty for none.</param>
/// <param name="Local">Local name.</param>
public readonly record struct PropertyName(string Namespace, string Local)
{
    /// <summary>The namespace of WebDAV itself.</summary>
    public const string Dav = "DAV:";
}
