using System.Globalization;
using System.Xml;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Locks;

/// <summary>The body of a LOCK that requests a new lock (RFC 4918 §14.11).</summary>
/// <param name="Scope">Exclusive or shared.</param>
/// <param name="Owner">The <c>owner</c> element as self-contained XML with text or elements inside; null if absent.</param>
internal sealed record LockRequest(LockScope Scope, string? Owner)
{
    /// <summary>Most characters of an owner. Desktops send a name or an address, and the table holds 10,000 locks: 20 MB.</summary>
    internal const int LongestOwner = 1_024;

    /// <summary>Parses a body. A longer owner is left out: it is a note for people.</summary>
    /// <returns>Null if it is malformed or requests an unsupported kind of lock.</returns>
    public static LockRequest? TryParse(MemoryStream body)
    {
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

    // <!ELEMENT lockinfo (lockscope, locktype, owner?) > ; <!ELEMENT locktype (write) >
    private static LockRequest? TryParse(XmlReader xml)
    {
        if (xml.MoveToContent() != XmlNodeType.Element || !XmlBody.IsDav(xml, "lockinfo") || xml.IsEmptyElement)
            return null;
        LockScope? scope = null;
        var isWrite = false;
        string? owner = null;
        xml.Read();
        while (xml.NodeType != XmlNodeType.EndElement)
        {
            if (xml.NodeType != XmlNodeType.Element)
                xml.Read();
            else if (XmlBody.IsDav(xml, "lockscope"))
                scope = ReadChild(xml) switch { "exclusive" => LockScope.Exclusive, "shared" => LockScope.Shared, _ => null };
            else if (XmlBody.IsDav(xml, "locktype"))
                isWrite = ReadChild(xml) == "write";
            else if (XmlBody.IsDav(xml, "owner"))
                owner = xml.ReadOuterXml() is { Length: <= LongestOwner } text ? text : null;
            else
                xml.Skip();
        }

        while (xml.Read())
        {
        }

        return scope is { } known && isWrite ? new(known, owner) : null;
    }

    /// <summary>The local name of the first DAV: element inside; moves past the end of the element.</summary>
    private static string? ReadChild(XmlReader xml)
    {
        string? name = null;
        using var inner = xml.ReadSubtree();
        inner.Read();
        while (inner.Read())
        {
            if (inner.NodeType == XmlNodeType.Element && inner.Depth == 1 && inner.NamespaceURI == PropertyName.Dav)
                name ??= inner.LocalName;
        }

        inner.Close();
        xml.Read();
        return name;
    }
}

/// <summary>The Timeout header of LOCK (RFC 4918 §10.7).</summary>
internal static class LockTimeout
{
    /// <summary>
    /// The default and the maximum: running clients refresh their locks, and a client that crashed must not lock others out for longer.
    /// </summary>
    public static readonly TimeSpan Longest = TimeSpan.FromHours(1);

    private static readonly TimeSpan Shortest = TimeSpan.FromSeconds(1);

    /// <summary>The first valid value of a list such as <c>Infinite, Second-4100000000</c>, within the limits.</summary>
    public static TimeSpan Parse(ReadOnlySpan<char> header)
    {
        const string Second = "Second-";
        foreach (var range in header.Split(','))
        {
            var value = header[range].Trim(" \t");
            if (value.Equals("Infinite", StringComparison.OrdinalIgnoreCase))
                return Longest;
            if (!value.StartsWith(Second, StringComparison.OrdinalIgnoreCase))
                continue;
            var digits = value[Second.Length..];
            if (digits.IsEmpty || digits.ContainsAnyExceptInRange('0', '9'))
                continue;

            // A number that does not fit counts as infinite.
            var seconds = long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : long.MaxValue;
            return seconds >= Longest.TotalSeconds ? Longest : seconds < Shortest.TotalSeconds ? Shortest : TimeSpan.FromSeconds(seconds);
        }

        return Longest;
    }
}
