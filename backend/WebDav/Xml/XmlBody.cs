using System.Xml;
using Microsoft.AspNetCore.Http;

namespace NzbDav.WebDav.Xml;

/// <summary>Reads the XML that comes with a request: bounded, and without anything that XML can be abused for.</summary>
internal static class XmlBody
{
    /// <summary>The largest real body is a few KB.</summary>
    public const int MaxLength = 1 << 20;

    private static readonly XmlReaderSettings Settings = new()
    {
        DtdProcessing = DtdProcessing.Prohibit,
        XmlResolver = null,
        MaxCharactersInDocument = MaxLength,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        IgnoreWhitespace = true,
    };

    // "Whitespace in property values is significant" (RFC 4918 §4.4).
    private static readonly XmlReaderSettings Exact = WithWhitespace();

    /// <summary>Collects the body, with or without a Content-Length.</summary>
    /// <returns>Null if it is larger than <see cref="MaxLength"/>; the rest was not read.</returns>
    public static async ValueTask<MemoryStream?> ReadAsync(HttpRequest request, CancellationToken cancellationToken)
    {
        if (request.ContentLength is > MaxLength)
            return null;
        var body = new MemoryStream((int)(request.ContentLength ?? 0));
        while (true)
        {
            var read = await request.BodyReader.ReadAsync(cancellationToken);
            foreach (var memory in read.Buffer)
                body.Write(memory.Span);
            request.BodyReader.AdvanceTo(read.Buffer.End);
            if (body.Length > MaxLength)
                return null;
            if (read.IsCompleted)
                break;
        }

        body.Position = 0;
        return body;
    }

    /// <summary>A reader that throws what <see cref="IsMalformed"/> knows for everything malformed or forbidden.</summary>
    public static XmlReader Open(MemoryStream body) => XmlReader.Create(body, Settings);

    /// <summary>The same for a body whose values are kept: white space stays.</summary>
    public static XmlReader OpenExact(MemoryStream body) => XmlReader.Create(body, Exact);

    /// <summary>
    /// What the framework's reader throws: an argument out of range too, where the encoding changes behind bytes that are no text, and a
    /// wrong argument, where an element that is copied has the prefix <c>xmlns</c>.
    /// </summary>
    public static bool IsMalformed(Exception error) =>
        error is XmlException or ArgumentOutOfRangeException || error.GetType() == typeof(ArgumentException);

    /// <summary>The name of the element. One that no element may have counts as malformed; the framework's reader lets it pass.</summary>
    public static PropertyName NameOf(XmlReader xml) => xml.NamespaceURI != PropertyName.OfXmlns
        ? new(xml.NamespaceURI, xml.LocalName)
        : throw new XmlException("No element may have the prefix xmlns.");

    /// <summary>True on an element of the DAV: namespace with this name.</summary>
    public static bool IsDav(XmlReader xml, string name) => xml.LocalName == name && xml.NamespaceURI == PropertyName.Dav;

    private static XmlReaderSettings WithWhitespace()
    {
        var settings = Settings.Clone();
        settings.IgnoreWhitespace = false;
        return settings;
    }
}

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
