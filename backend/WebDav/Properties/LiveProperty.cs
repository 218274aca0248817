using System.Text;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Properties;

/// <summary>A property whose value the server works out, with its tags ready to be written.</summary>
internal sealed class LiveProperty
{
    private readonly PropertyPresence _onFile;
    private readonly PropertyPresence _onCollection;

    /// <param name="prefix">Bound to the name's namespace on the root of every multistatus.</param>
    /// <param name="name">Full name.</param>
    /// <param name="kind">Which value.</param>
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

    /// <summary>Tells of the space that a collection has.</summary>
    public bool IsQuota => Kind is PropertyKind.QuotaAvailable or PropertyKind.QuotaUsed;

    public byte[] Open { get; }

    public byte[] Close { get; }

    public byte[] Empty { get; }

    public PropertyPresence On(bool collection) => collection ? _onCollection : _onFile;
}
