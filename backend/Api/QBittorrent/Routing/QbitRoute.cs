using NzbDav.Access.Keys;

namespace NzbDav.Api.QBittorrent.Routing;

/// <summary>A call of the interface.</summary>
/// <param name="Path">Below <c>/api/v2/</c>: <c>torrents/info</c>.</param>
/// <param name="Needs">The rights that a caller needs.</param>
/// <param name="RunAsync">Answers it.</param>
internal sealed record QbitRoute(string Path, ApiRights Needs, Func<QbitCall, CancellationToken, ValueTask<QbitReply>> RunAsync)
{
    /// <summary>True if the call changes something: then only POST is accepted. Otherwise GET and POST, as in qBittorrent.</summary>
    public bool IsCommand { get; init; }

    /// <summary>Parameters that must be present; otherwise the answer is 400.</summary>
    public IReadOnlyList<string> Requires { get; init; } = [];

    /// <summary>A call that only reads.</summary>
    public static QbitRoute Read(string path, Func<QbitCall, CancellationToken, ValueTask<QbitReply>> run, params string[] requires) =>
        new(path, ApiRights.Read, run) { Requires = requires };

    /// <summary>A call that changes something.</summary>
    public static QbitRoute Change(string path, Func<QbitCall, CancellationToken, ValueTask<QbitReply>> run, params string[] requires) =>
        new(path, ApiRights.Change, run) { IsCommand = true, Requires = requires };
}

/// <summary>A group of calls.</summary>
internal interface IQbitCalls
{
    /// <summary>The routes of all calls.</summary>
    IEnumerable<QbitRoute> Routes { get; }
}
