using System.Xml;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Properties;

/// <summary>The body of a PROPFIND (RFC 4918 §14.20).</summary>
/// <param name="Kind">The kind of request.</param>
/// <param name="Names">The requested names in order, each once.</param>
internal sealed record PropFindBody(PropFindKind Kind, IReadOnlyList<PropertyName> Names)
{
    // Every name that is not found is repeated for every entry of a listing, so this limits the response to a small request.
    private const int MaxNames = 256;

    /// <summary>For an empty body, which means allprop; Windows sends nothing else.</summary>
    public static PropFindBody AllProperties { get; } = new(PropFindKind.AllProperties, []);

    /// <summary>Parses a body.</summary>
    /// <returns>Null if it is malformed.</returns>
    public static PropFindBody? TryParse(MemoryStream body)
    {
        if (body.Length == 0)
            return AllProperties;
        try
        {
            using var xml = XmlBody.Open(body);
            return TryParse(xml);
        }
        catch (Exception error) when (XmlBody.IsMalformed(error))
        {
            return null;
        }
    }

    // <!ELEMENT propfind ( propname | (allprop, include?) | prop ) > ; unknown elements are ignored (§17).
    private static PropFindBody? TryParse(XmlReader xml)
    {
        if (xml.MoveToContent() != XmlNodeType.Element || !XmlBody.IsDav(xml, "propfind"))
            return null;
        PropFindKind? kind = null;
        var names = new List<PropertyName>();
        var isEmpty = xml.IsEmptyElement;
        xml.Read();
        while (!isEmpty && xml.NodeType != XmlNodeType.EndElement)
        {
            if (xml.NodeType != XmlNodeType.Element)
            {
                xml.Read();
                continue;
            }

            PropFindKind? found = xml.NamespaceURI != PropertyName.Dav ? null : xml.LocalName switch
            {
                "prop" => PropFindKind.Named,
                "allprop" => PropFindKind.AllProperties,
                "propname" => PropFindKind.Names,
                _ => null,
            };
            if (found is not null && kind is not null)
                return null;
            kind ??= found;
            if (found == PropFindKind.Named || XmlBody.IsDav(xml, "include"))
                ReadNames(xml, names);
            else
                xml.Skip();
            if (names.Count > MaxNames)
                return null;
        }

        // The rest must be well-formed too.
        while (xml.Read())
        {
        }

        return kind is { } known ? new(known, known == PropFindKind.Names ? [] : names.Distinct().ToArray()) : null;
    }

    private static void ReadNames(XmlReader xml, List<PropertyName> names)
    {
        if (xml.IsEmptyElement)
        {
            xml.Read();
            return;
        }

        xml.Read();
        while (xml.NodeType != XmlNodeType.EndElement)
        {
            if (xml.NodeType == XmlNodeType.Element && names.Count <= MaxNames)
                names.Add(XmlBody.NameOf(xml));
            xml.Skip();
        }

        xml.Read();
    }
}

/// <summary>The kinds of PROPFIND requests.</summary>
internal enum PropFindKind
{
    /// <summary>Values of all common properties, and of the named ones.</summary>
    AllProperties,

    /// <summary>Values of the named properties.</summary>
    Named,

    /// <summary>The names of all properties.</summary>
    Names,
}
