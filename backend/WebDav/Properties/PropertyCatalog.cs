using System.Collections.Frozen;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Properties;

/// <summary>
/// The live properties. What clients ask collections for by name is answered with a harmless value rather than a 404: Infuse takes
/// folders for files otherwise. Everything else (Win32*, ishidden, Apple's old quota names …) is a 404 that costs nothing.
/// </summary>
internal static class PropertyCatalog
{
    /// <summary>What declares the prefixes used below; Windows 7 wants <c>D</c>, on the root.</summary>
    public const string Declarations = "xmlns:D=\"DAV:\" xmlns:o=\"http://owncloud.org/ns\"";

    /// <summary>In the order in which allprop shows them.</summary>
    public static IReadOnlyList<LiveProperty> All { get; } =
    [
        Dav("creationdate", PropertyKind.CreationDate, PropertyPresence.Always, PropertyPresence.Always),
        Dav("displayname", PropertyKind.DisplayName, PropertyPresence.Always, PropertyPresence.Always),
        Dav("getcontentlength", PropertyKind.ContentLength, PropertyPresence.Always, PropertyPresence.ByName),
        Dav("getcontenttype", PropertyKind.ContentType, PropertyPresence.Always, PropertyPresence.ByName),
        Dav("getetag", PropertyKind.ETag, PropertyPresence.Always, PropertyPresence.ByName),
        Dav("getlastmodified", PropertyKind.LastModified, PropertyPresence.Always, PropertyPresence.Always),
        Dav("resourcetype", PropertyKind.ResourceType, PropertyPresence.Always, PropertyPresence.Always),
        Dav("supportedlock", PropertyKind.SupportedLock, PropertyPresence.ByName, PropertyPresence.ByName),
        Dav("lockdiscovery", PropertyKind.LockDiscovery, PropertyPresence.ByName, PropertyPresence.ByName),
        Dav("iscollection", PropertyKind.IsCollection, PropertyPresence.ByName, PropertyPresence.ByName),
        Dav("quota-available-bytes", PropertyKind.QuotaAvailable, PropertyPresence.Absent, PropertyPresence.ByName),
        Dav("quota-used-bytes", PropertyKind.QuotaUsed, PropertyPresence.Absent, PropertyPresence.ByName),
        new("o", new("http://owncloud.org/ns", "size"), PropertyKind.ContentLength, PropertyPresence.ByName, PropertyPresence.ByName),
    ];

    private static readonly FrozenDictionary<PropertyName, LiveProperty> ByName = All.ToFrozenDictionary(property => property.Name);

    public static LiveProperty? Find(PropertyName name) => ByName.GetValueOrDefault(name);

    private static LiveProperty Dav(string name, PropertyKind kind, PropertyPresence onFile, PropertyPresence onCollection) =>
        new("D", new(PropertyName.Dav, name), kind, onFile, onCollection);
}
