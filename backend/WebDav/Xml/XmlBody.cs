using System.Xml;
using Microsoft.AspNetCore.Http;

namespace NzbDav.WebDav.Xml;

/// <summary>Reads the XML of a request: bounded, and without the features of XML that can be abused.</summary>
internal static class XmlBody
{
    /// <summary>Largest body in bytes. Real ones have a few KB.</summary>
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

    /// <summary>Reads the body, with or without a Content-Length.</summary>
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

    /// <summary>A reader that throws an exception known to <see cref="IsMalformed"/> for malformed or forbidden XML.</summary>
    public static XmlReader Open(MemoryStream body) => XmlReader.Create(body, Settings);

    /// <summary>The same for a body whose values are stored: white space is preserved.</summary>
    public static XmlReader OpenExact(MemoryStream body) => XmlReader.Create(body, Exact);

    /// <summary>
    /// True for the exceptions of the framework's reader: also ArgumentOutOfRangeException, when the encoding changes after bytes that are
    /// no text, and ArgumentException, when an element with the prefix <c>xmlns</c> is copied.
    /// </summary>
    public static bool IsMalformed(Exception error) =>
        error is XmlException or ArgumentOutOfRangeException || error.GetType() == typeof(ArgumentException);

    /// <summary>The name of the element. A name that no element may have counts as malformed; the framework's reader accepts it.</summary>
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
