using System.Collections.Frozen;
using System.Text;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Properties;

/// <summary>
/// The live properties. Those that clients request for collections by name have a harmless value instead of a 404: otherwise Infuse takes
/// folders for files. Everything else (Win32*, ishidden, Apple's old quota names …) is a 404 that costs nothing.
/// </summary>
internal static class PropertyCatalog
{
    /// <summary>Declares the prefixes used below; Windows 7 requires <c>D</c>, on the root.</summary>
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

/// <summary>A property whose value the server computes, with its tags ready to be written.</summary>
internal sealed class LiveProperty
{
    private readonly PropertyPresence _onFile;
    private readonly PropertyPresence _onCollection;

    /// <param name="prefix">Bound to the name's namespace on the root of every multistatus.</param>
    /// <param name="name">Full name.</param>
    /// <param name="kind">Kind of its value.</param>
    /// <param name="onFile">When files have it.</param>
    /// <param name="onCollection">When collections have it.</param>
    public LiveProperty(string prefix, PropertyName name, PropertyKind kind, PropertyPresence onFile, PropertyPresence onCollection)
    {
        Name = name;
        Kind = kind;
        _onFile = onFile;
        _onCollection = onCollection;
        Open = Encoding.UTF8.GetBytes($"<{prefix}:{name.Local}>");
        Close = Encoding.UTF8.GetBytes($"</{prefix}:{name.Local}>");
        Empty = Encoding.UTF8.GetBytes($"<{prefix}:{name.Local}/>");
    }

    public PropertyName Name { get; }

    public PropertyKind Kind { get; }

    /// <summary>True if it reports the space of a collection.</summary>
    public bool IsQuota => Kind is PropertyKind.QuotaAvailable or PropertyKind.QuotaUsed;

    public byte[] Open { get; }

    public byte[] Close { get; }

    public byte[] Empty { get; }

    public PropertyPresence On(bool collection) => collection ? _onCollection : _onFile;
}

/// <summary>The values of live properties.</summary>
internal enum PropertyKind
{
    CreationDate,
    DisplayName,
    ContentLength,
    ContentType,
    ETag,
    LastModified,
    ResourceType,
    SupportedLock,
    LockDiscovery,
    QuotaAvailable,
    QuotaUsed,
    IsCollection,
}

/// <summary>When an item shows a property.</summary>
internal enum PropertyPresence
{
    /// <summary>Never: 404.</summary>
    Absent,

    /// <summary>When requested by name.</summary>
    ByName,

    /// <summary>Also with allprop.</summary>
    Always,
}
