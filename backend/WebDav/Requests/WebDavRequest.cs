using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Requests;

/// <summary>A request with a valid path from an admitted client.</summary>
/// <param name="Http">The request and its response.</param>
/// <param name="Store">The tree.</param>
/// <param name="Path">Path of the item.</param>
/// <param name="Root">Prefix of the store's paths in an href: URL base and mount, encoded, without a trailing slash.</param>
/// <param name="Allow">The supported methods, for 405.</param>
/// <param name="Mounts">All paths under which the tree is served: a Destination may use any of them.</param>
internal sealed record WebDavRequest(HttpContext Http, IStore Store, StorePath Path, string Root, string Allow, DavMounts Mounts)
{
    public CancellationToken Aborted => Http.RequestAborted;

    /// <summary>The addressed item; null if there is none, or if it is a file and the path ends with a slash.</summary>
    public async ValueTask<IStoreItem?> FindAsync()
    {
        var item = await Store.GetItemAsync(Path, Aborted);
        return Path.HasTrailingSlash && item is { IsCollection: false } ? null : item;
    }

    /// <summary>True if the item is one of those that desktops look for in every folder and that cannot exist here.</summary>
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
    /// True if the client is the WebDAV client of macOS. From 15.4 on it takes a minute and a half to connect to a server that reports a
    /// quota, and connects at once without one.
    /// </summary>
    public bool IsFinder => Http.Request.Headers.UserAgent.ToString() is var agent
        && (agent.StartsWith("WebDAVFS/", StringComparison.Ordinal) || agent.StartsWith("WebDAVLib/", StringComparison.Ordinal));

    /// <summary>A path as used in an href: encoded, and safe in XML.</summary>
    public string HrefOf(StorePath path, bool isCollection) => isCollection ? Root + path + "/" : Root + path;

    /// <summary>The Depth header; <paramref name="absent"/> if there is none, null if it is invalid.</summary>
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

/// <summary>The depth of a request.</summary>
internal enum Depth
{
    /// <summary>Only the item.</summary>
    Zero,

    /// <summary>The item and its direct children.</summary>
    One,

    /// <summary>The item and everything below it.</summary>
    Infinity,
}

/// <summary>Handles one HTTP method. Stateless; one instance handles all requests.</summary>
internal interface IMethodHandler
{
    /// <summary>The method, in capitals.</summary>
    string Method { get; }

    Task HandleAsync(WebDavRequest request);
}
