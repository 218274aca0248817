using System.Security;
using System.Text;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Properties;

/// <summary>
/// A PROPFIND compiled for one kind of item: which values to write for each entry, and the bytes that are the same for all of them. The 200
/// propstat comes first, followed by exactly one 404 propstat if anything is missing (Kodi and Infuse read no further).
/// </summary>
internal sealed class PropertyPlan
{
    private const string Found = "<D:propstat><D:prop>";
    private const string FoundEnd = "</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>";
    private const string MissingEnd = "</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>";
    private const string End = "</D:response>\n";

    private readonly PropFindBody _request;
    private readonly byte[] _names;
    private readonly bool _findsNone;
    private readonly List<PropertyName> _missing;

    private PropertyPlan(PropFindBody request, List<LiveProperty> found, List<PropertyName> missing)
    {
        _request = request;
        _missing = missing;
        _findsNone = found.Count == 0;
        var isNames = request.Kind == PropFindKind.Names;
        _names = isNames ? [.. found.SelectMany(property => property.Empty)] : [];
        Values = isNames ? [] : [.. found];
        var opens = !_findsNone || missing.Count == 0;
        Head = opens ? [.. Encoding.UTF8.GetBytes(Found), .. _names] : [];
        Tail = Encoding.UTF8.GetBytes((opens ? FoundEnd : "") + Missing(missing) + End);
        ShowsLocks = Values.Any(property => property.Kind == PropertyKind.LockDiscovery);
        MayShowDead = request.Kind != PropFindKind.Named || missing.Count > 0;
    }

    /// <summary>Values to write between <see cref="Head"/> and <see cref="Tail"/>.</summary>
    public LiveProperty[] Values { get; }

    /// <summary>The bytes after the href.</summary>
    public byte[] Head { get; }

    /// <summary>The bytes after the values, up to the end of the response element.</summary>
    public byte[] Tail { get; }

    /// <summary>True if locks are requested.</summary>
    public bool ShowsLocks { get; }

    /// <summary>True if dead properties are requested, should there be any.</summary>
    public bool MayShowDead { get; }

    /// <summary>Compiles a request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="collection">True for collections, false for files.</param>
    /// <param name="hidesQuota">True: no collection reports a quota.</param>
    public static PropertyPlan For(PropFindBody request, bool collection, bool hidesQuota = false)
    {
        var found = new List<LiveProperty>();
        var missing = new List<PropertyName>();
        if (request.Kind != PropFindKind.Named)
        {
            var least = request.Kind == PropFindKind.Names ? PropertyPresence.ByName : PropertyPresence.Always;
            found.AddRange(PropertyCatalog.All.Where(property => property.On(collection) >= least && !(hidesQuota && property.IsQuota)));
        }

        foreach (var name in request.Names)
        {
            if (PropertyCatalog.Find(name) is not { } property || property.On(collection) == PropertyPresence.Absent
                || (hidesQuota && property.IsQuota))
                missing.Add(name);
            else if (!found.Contains(property))
                found.Add(property);
        }

        return new(request, found, missing);
    }

    /// <summary>Appends an empty element of that name.</summary>
    public static void AppendEmpty(StringBuilder xml, PropertyName name)
    {
        if (name.Namespace == PropertyName.Dav)
            xml.Append("<D:").Append(name.Local).Append("/>");
        else if (name.Namespace == PropertyName.OfXml)
            xml.Append("<xml:").Append(name.Local).Append("/>");
        else if (name.Namespace.Length == 0)
            xml.Append('<').Append(name.Local).Append("/>");
        else
            xml.Append("<x:").Append(name.Local).Append(" xmlns:x=\"").Append(SecurityElement.Escape(name.Namespace)).Append("\"/>");
    }

    /// <summary>Head and tail for an item with dead properties.</summary>
    public (byte[] Head, byte[] Tail) With(IReadOnlyList<DeadProperty> dead)
    {
        var shown = _request.Kind == PropFindKind.Named ? dead.Where(property => _missing.Contains(property.Name)).ToList() : dead;
        var missing = _missing.Where(name => shown.All(property => property.Name != name)).ToList();
        if (_findsNone && shown.Count == 0 && missing.Count > 0)
            return (Head, Tail);
        var values = new StringBuilder();
        foreach (var property in shown)
        {
            if (_request.Kind == PropFindKind.Names)
                AppendEmpty(values, property.Name);
            else
                values.Append(property.Xml);
        }

        return ([.. Encoding.UTF8.GetBytes(Found), .. _names], Encoding.UTF8.GetBytes(values + FoundEnd + Missing(missing) + End));
    }

    private static string Missing(List<PropertyName> missing)
    {
        if (missing.Count == 0)
            return "";
        var xml = new StringBuilder(Found);
        foreach (var name in missing)
            AppendEmpty(xml, name);
        return xml.Append(MissingEnd).ToString();
    }
}
