namespace NzbDav.WebDav.Xml;

/// <summary>An XML name with its namespace.</summary>
/// <param name="Namespace">Namespace URI; empty for none.</param>
/// <param name="Local">Local name.</param>
public readonly record struct PropertyName(string Namespace, string Local)
{
    /// <summary>The namespace of WebDAV itself.</summary>
    public const string Dav = "DAV:";

    /// <summary>The namespace of the prefix <c>xml</c>, which no other prefix may have (Namespaces in XML 1.0, §3).</summary>
    public const string OfXml = "http://www.w3.org/XML/1998/namespace";

    /// <summary>The namespace of the prefix <c>xmlns</c>, which no element may have (the same section).</summary>
    public const string OfXmlns = "http://www.w3.org/2000/xmlns/";
}
