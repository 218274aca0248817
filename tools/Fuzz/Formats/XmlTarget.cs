using System.Globalization;
using System.Text;
using NzbDav.Fuzz.Contract;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;

namespace NzbDav.Fuzz.Formats;

/// <summary>Bodies of PROPFIND, PROPPATCH and LOCK (RFC 4918 §14); each input is read as all three.</summary>
internal sealed class XmlTarget() : FuzzTarget("xml", "XML bodies of WebDAV requests")
{
    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } =
    [
        .. "<D:prop>|</D:prop>|<D:set>|</D:set>|<D:remove>|</D:remove>|<D:allprop/>|<D:propname/>|<D:include>|xmlns:D=\"DAV:\"|xmlns=\"\"|xmlns:a=\"a\"|<a:b/>|<!DOCTYPE x [<!ENTITY a \"b\">]>|&a;|&#0;|&#xD800;|<![CDATA[|]]>|<!--|-->|<?x y?>|xml:lang=\"en\"|<D:owner>|<D:shared/>|encoding=\"utf-16\""
            .Split('|').Select(Text),
    ];

    public override long MostAllocated(int length) => (1 << 20) + (2_000L * length);

    public override object? Run(byte[] input, Cuts cuts)
    {
        var said = new StringBuilder();
        if (PropFindBody.TryParse(new MemoryStream(input, writable: false)) is { } find)
            said.Append(find.Kind).AppendJoin(' ', find.Names);
        if (PropertyUpdateBody.TryParse(new MemoryStream(input, writable: false)) is { } update)
            said.AppendJoin(' ', update);
        if (LockRequest.TryParse(new MemoryStream(input, writable: false)) is { } request)
            said.Append(CultureInfo.InvariantCulture, $"{request}");
        return said.ToString();
    }
}
