using System.Xml;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Properties;

/// <summary>The body of a PROPPATCH (RFC 4918 §14.19).</summary>
internal static class PropertyUpdateBody
{
    // As many as an item may have: more than any client sends.
    private const int MaxChanges = IDeadProperties.MaxPerItem;

    /// <summary>Parses a body into instructions, "in document order".</summary>
    /// <returns>Null if it is malformed or changes nothing.</returns>
    public static IReadOnlyList<PropertyChange>? TryParse(MemoryStream body)
    {
        try
        {
            using var xml = XmlBody.OpenExact(body);
            return TryParse(xml);
        }
        catch (Exception error) when (XmlBody.IsMalformed(error))
        {
            return null;
        }
    }

    // <!ELEMENT propertyupdate (remove | set)+ > ; <!ELEMENT set (prop) >
    private static List<PropertyChange>? TryParse(XmlReader xml)
    {
        if (xml.MoveToContent() != XmlNodeType.Element || !XmlBody.IsDav(xml, "propertyupdate") || xml.IsEmptyElement)
            return null;
        var changes = new List<PropertyChange>();
        xml.Read();
        while (xml.NodeType != XmlNodeType.EndElement)
        {
            var isSet = XmlBody.IsDav(xml, "set");
            if (xml.NodeType != XmlNodeType.Element)
                xml.Read();
            else if (isSet || XmlBody.IsDav(xml, "remove"))
                ReadProps(xml, isSet, changes);
            else
                xml.Skip();
            if (changes.Count > MaxChanges)
                return null;
        }

        while (xml.Read())
        {
        }

        return changes.Count > 0 ? changes : null;
    }

    private static void ReadProps(XmlReader xml, bool isSet, List<PropertyChange> changes)
    {
        var depth = xml.Depth;
        if (xml.IsEmptyElement)
        {
            xml.Read();
            return;
        }

        xml.Read();
        while (xml.Depth > depth)
        {
            // Only elements inside prop count: prop's own depth is one more than set's.
            if (xml.NodeType == XmlNodeType.Element && xml.Depth == depth + 1 && !XmlBody.IsDav(xml, "prop"))
                xml.Skip();
            else if (xml.NodeType == XmlNodeType.Element && xml.Depth == depth + 2)
                changes.Add(ReadChange(xml, isSet));
            else
                xml.Read();
        }

        xml.Read();
    }

    private static PropertyChange ReadChange(XmlReader xml, bool isSet)
    {
        var name = XmlBody.NameOf(xml);
        if (isSet)
            return new(name, OuterXml(xml));
        xml.Skip();
        return new(name, Xml: null);
    }

    /// <summary>
    /// The element with its namespaces and, if an outer element set it, its language (RFC 4918 §4.3 requires both to be preserved).
    /// </summary>
    private static string OuterXml(XmlReader xml)
    {
        var language = xml.GetAttribute("xml:lang") is null ? xml.XmlLang : "";
        var outer = xml.ReadOuterXml();
        if (language.Length == 0)
            return outer;
        var end = outer.AsSpan().IndexOfAny(" />");
        return string.Concat(outer.AsSpan(0, end), $" xml:lang=\"{System.Security.SecurityElement.Escape(language)}\"", outer.AsSpan(end));
    }
}
