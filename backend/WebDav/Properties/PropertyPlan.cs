using System.Security;
using System.Text;

namespace NzbDav.WebDav;

/// <summary>
/// A PROPFIND compiled for one kind of item: which values to write for each entry, and the bytes that are the same for all of them.
/// The 200 propstat stands first and exactly one 404 propstat follows if anything is missing (Kodi and Infuse read no further).
/// </summary>
internal sealed class PropertyPlan
{
    private PropertyPlan(LiveProperty[] values, byte[] head, byte[] tail)
    {
        Values = values;
        Head = head;
        Tail = tail;
    }

    /// <summary>Values to write between <see cref="Head"/> and <see cref="Tail"/>.</summary>
    public LiveProperty[] Values { get; }

    /// <summary>What follows the href.</summary>
    public byte[] Head { get; }

    /// <summary>What follows the values, up to the end of the response element.</summary>
    public byte[] Tail { get; }

    /// <summary>Compiles a request.</summary>
    public static PropertyPlan For(PropFindBody request, bool collection)
    {
        var found = new List<LiveProperty>();
        var missing = new List<PropertyName>();
        if (request.Kind != PropFindKind.Named)
        {
            var least = request.Kind == PropFindKind.Names ? PropertyPresence.ByName : PropertyPresence.Always;
            found.AddRange(PropertyCatalog.All.Where(property => property.On(collection) >= least));
        }

        foreach (var name in request.Names)
        {
            if (PropertyCatalog.Find(name) is not { } property || property.On(collection) == PropertyPresence.Absent)
                missing.Add(name);
            else if (!found.Contains(property))
                found.Add(property);
        }

        var head = new StringBuilder();
        var tail = new StringBuilder();
        if (found.Count > 0 || missing.Count == 0)
        {
            head.Append("<D:propstat><D:prop>");
            tail.Append("</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>");
        }

        if (missing.Count > 0)
        {
            tail.Append("<D:propstat><D:prop>");
            foreach (var name in missing)
                AppendEmpty(tail, name);
            tail.Append("</D:prop><D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>");
        }

        tail.Append("</D:response>\n");
        if (request.Kind == PropFindKind.Names)
        {
            foreach (var property in found)
                head.Append(Encoding.UTF8.GetString(property.Empty));
            found.Clear();
        }

        return new([.. found], Encoding.UTF8.GetBytes(head.ToString()), Encoding.UTF8.GetBytes(tail.ToString()));
    }

    private static void AppendEmpty(StringBuilder xml, PropertyName name)
    {
        if (name.Namespace == PropertyName.Dav)
            xml.Append("<D:").Append(name.Local).Append("/>");
        else if (name.Namespace.Length == 0)
            xml.Append('<').Append(name.Local).Append("/>");
        else
            xml.Append("<x:").Append(name.Local).Append(" xmlns:x=\"").Append(SecurityElement.Escape(name.Namespace)).Append("\"/>");
    }
}
