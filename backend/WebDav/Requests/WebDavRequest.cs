using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Requests;

/// <summary>A request whose path was understood and whose sender may ask.</summary>
/// <param name="Http">The request and its response.</param>
/// <param name="Store">The tree.</param>
/// <param name="Path">Which item.</param>
/// <param name="Root">What stands before the store's paths in an href: URL base and mount, encoded, without a trailing slash.</param>
/// <param name="Allow">The methods that there are, for 405.</param>
/// <param name="Mounts">Where else the tree is served: a Destination may name any of these.</param>
internal sealed record WebDavRequest(HttpContext Http, IStore Store, StorePath Path, string Root, string Allow, DavMounts Mounts)
{
    public CancellationToken Aborted => Http.RequestAborted;

    /// <summary>The addressed item, if there is one that a path of this form can mean: <c>/file/</c> is none.</summary>
    public async ValueTask<IStoreItem?> FindAsync()
    {
        var item = await Store.GetItemAsync(Path, Aborted);
        return Path.HasTrailingSlash && item is { IsCollection: false } ? null : item;
    }

    /// <summary>The item is one of those that desktops look for everywhere and that cannot be here.</summary>
    public bool IsJunk => JunkNames.IsJunk(Path) && !Store.MayHoldJunk(Path);

    /// <summary>The URL base, encoded.</summary>
    public static string BaseOf(HttpContext http)
    {
        if (!http.Request.PathBase.HasValue)
            return "";
        var encoded = new StringBuilder();
        foreach (var segment in http.Request.PathBase.Value!.Split('/', StringSplitOptions.RemoveEmptyEntries))
            PercentEncoding.Append(encoded.Append('/'), segment);
        return encoded.ToString();
    }

    /// <summary>
    /// The sender is the WebDAV client of macOS. From 15.4 on it takes a minute and a half to connect to a server that reports a quota,
    /// and none to one that does not.
    /// </summary>
    public bool IsFinder => Http.Request.Headers.UserAgent.ToString() is var agent
        && (agent.StartsWith("WebDAVFS/", StringComparison.Ordinal) || agent.StartsWith("WebDAVLib/", StringComparison.Ordinal));

    /// <summary>A path as it stands in an href: encoded, and safe in XML.</summary>
    public string HrefOf(StorePath path, bool isCollection) => isCollection ? Root + path + "/" : Root + path;

    /// <summary>The Depth header; <paramref name="absent"/> if there is none, null if it is not understood.</summary>
    public Depth? DepthOr(Depth absent) => Http.Request.Headers["Depth"] switch
    {
        [] => absent,
        ["0"] => Depth.Zero,
        ["1" or "1,noroot"] => Depth.One,
        [var value] when string.Equals(value, "infinity", StringComparison.OrdinalIgnoreCase) => Depth.Infinity,
        _ => null,
    };

    public Task NotAllowedAsync()
    {
        Http.Response.Headers.Allow = Allow;
        Reply.RefuseBody(Http);
        return Reply.Status(Http, StatusCodes.Status405MethodNotAllowed);
    }

    public Task NotFoundAsync() => Reply.TextAsync(Http, StatusCodes.Status404NotFound, "There is no such item.");
}

/// <summary>How far down a request goes.</summary>
internal enum Depth
{
    /// <summary>The item alone.</summary>
    Zero,

    /// <summary>The item and its direct children.</summary>
    One,

    /// <summary>All below the item.</summary>
    Infinity,
}

/// <summary>One HTTP method over the store. Stateless; one instance answers all requests.</summary>
internal interface IMethodHandler
{
    /// <summary>The method, in capitals.</summary>
    string Method { get; }

    Task HandleAsync(WebDavRequest request);
}
