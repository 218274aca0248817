using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Properties;

/// <summary>
/// Writes a multistatus entry by entry into a pooled buffer and sends it as it fills: memory does not grow with the listing, and an entry
/// costs no allocation.
/// </summary>
internal sealed class MultiStatusWriter : IDisposable
{
    // Class 2 (see OptionsHandler): Office and Finder look here before they try to lock.
    private static readonly byte[] SupportedLocks = Encoding.ASCII.GetBytes(string.Concat(LockEntry("exclusive"), LockEntry("shared")));
    private static readonly List<DavLock> Unlocked = [];
    private static readonly byte[] Begin = Encoding.ASCII.GetBytes(
        $"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:multistatus {PropertyCatalog.Declarations}>\n");

    private readonly Utf8Output _output;
    private readonly WebDavRequest _request;
    private readonly LockTable _locks;
    private readonly PropertyPlan _files;
    private readonly PropertyPlan _collections;
    private readonly string _rootName;

    /// <param name="request">The request; its response gets status and type here and must not have started.</param>
    /// <param name="body">The requested properties.</param>
    /// <param name="locks">The current locks.</param>
    public MultiStatusWriter(WebDavRequest request, PropFindBody body, LockTable locks)
    {
        _request = request;
        _locks = locks;
        var response = request.Http.Response;
        response.StatusCode = StatusCodes.Status207MultiStatus;
        response.ContentType = "application/xml; charset=\"utf-8\"";
        _output = new(response.BodyWriter);
        _files = PropertyPlan.For(body, collection: false);
        _collections = PropertyPlan.For(body, collection: true, hidesQuota: request.IsFinder);
        _rootName = request.Root.Length > 0 ? request.Root[(request.Root.LastIndexOf('/') + 1)..] : "root";
        _output.Write(Begin);
    }

    /// <summary>True if enough is pending for a write.</summary>
    public bool IsFull => _output.Pending >= Utf8Output.FlushSize;

    /// <summary>True if nothing was sent yet.</summary>
    public bool IsSilent => !_output.HasFlushed;

    /// <summary>True if the entry may show dead properties.</summary>
    public bool MayShowDead(IStoreItem item) => item.Keeping == StoreKeeping.Everything && PlanOf(item).MayShowDead;

    /// <summary>Adds an entry.</summary>
    /// <param name="directory">Encoded href of the item's collection, ending with a slash; for the root itself its own without a
    /// slash.</param>
    /// <param name="name">The item's decoded name; empty for the root.</param>
    /// <param name="item">The item.</param>
    /// <param name="path">Returns its path; called only if needed.</param>
    /// <param name="dead">Its dead properties.</param>
    public void Add(
        ReadOnlySpan<byte> directory, string name, IStoreItem item, Func<string, StorePath> path, IReadOnlyList<DeadProperty> dead)
    {
        _output.Write("<D:response><D:href>"u8);
        _output.Write(directory);
        _output.WritePercentEncoded(name);
        _output.Write(item.IsCollection ? "/</D:href>"u8 : "</D:href>"u8);
        var plan = PlanOf(item);
        var (head, tail) = dead.Count > 0 ? plan.With(dead) : (plan.Head, plan.Tail);
        _output.Write(head);
        var held = plan.ShowsLocks && !_locks.IsEmpty ? _locks.Covering(path(name)) : Unlocked;
        foreach (var property in plan.Values)
            WriteValue(property, item, held);
        _output.Write(tail);
    }

    /// <summary>Ends the document; sends nothing.</summary>
    public void End() => _output.Write("</D:multistatus>\n"u8);

    /// <inheritdoc cref="Utf8Output.FlushAsync"/>
    public ValueTask<bool> FlushAsync(CancellationToken cancellationToken) => _output.FlushAsync(cancellationToken);

    public void Dispose() => _output.Dispose();

    private static string LockEntry(string scope) =>
        $"<D:lockentry><D:lockscope><D:{scope}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>";

    private PropertyPlan PlanOf(IStoreItem item) => item.IsCollection ? _collections : _files;

    private void WriteValue(LiveProperty property, IStoreItem item, List<DavLock> held)
    {
        var file = item as IStoreFile;

        // A file's resourcetype and an unlocked item's lockdiscovery are empty elements by definition; no other value may be empty.
        if ((property.Kind == PropertyKind.ResourceType && file is not null)
            || (property.Kind == PropertyKind.LockDiscovery && held.Count == 0))
        {
            _output.Write(property.Empty);
            return;
        }

        _output.Write(property.Open);
        switch (property.Kind)
        {
            case PropertyKind.CreationDate:
                _output.WriteIsoDate(item.CreatedAt);
                break;
            case PropertyKind.DisplayName:
                _output.WriteEscaped(item.Name.Length > 0 ? item.Name : _rootName);
                break;
            case PropertyKind.ContentLength:
                _output.WriteNumber(file?.Length ?? 0);
                break;
            case PropertyKind.ContentType:
                _output.WriteEscaped(file?.ContentType ?? "httpd/unix-directory");
                break;
            case PropertyKind.ETag:
                WriteTag(item.ETag);
                break;
            case PropertyKind.LastModified:
                _output.WriteHttpDate(item.ModifiedAt);
                break;
            case PropertyKind.ResourceType:
                _output.Write("<D:collection/>"u8);
                break;
            case PropertyKind.LockDiscovery:
                foreach (var one in held)
                    _output.Write(Encoding.UTF8.GetBytes(LockXml.Of(_request, one, _locks.Left(one))));
                break;
            case PropertyKind.SupportedLock:
                _output.Write(SupportedLocks);
                break;
            case PropertyKind.QuotaAvailable:
                _output.WriteNumber(((IStoreCollection)item).Quota.Available);
                break;
            case PropertyKind.QuotaUsed:
                _output.WriteNumber(((IStoreCollection)item).Quota.Used);
                break;
            case PropertyKind.IsCollection:
                _output.WriteNumber(item.IsCollection ? 1 : 0);
                break;
            default:
                throw new InvalidOperationException($"{property.Kind} has no value.");
        }

        _output.Write(property.Close);
    }

    // The same string as in the header, with plain quotes: some clients compare the text of the XML.
    private void WriteTag(string etag)
    {
        _output.Write("\""u8);
        _output.WriteEscaped(etag.AsSpan().Trim('"'));
        _output.Write("\""u8);
    }
}
