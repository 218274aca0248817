namespace NzbDav.Api.QBittorrent;

/// <summary>A call of the interface.</summary>
/// <param name="Path">Below <c>/api/v2/</c>: <c>torrents/info</c>.</param>
/// <param name="Needs">What a caller must be allowed to do.</param>
/// <param name="RunAsync">Answers it.</param>
internal sealed record QbitRoute(string Path, ApiRights Needs, Func<QbitCall, CancellationToken, ValueTask<QbitReply>> RunAsync)
{
    /// <summary>True: POST alone is answered, as it changes something. Otherwise GET and POST, as in the original.</summary>
    public bool IsCommand { get; init; }

    /// <summary>Parameters without which it answers 400.</summary>
    public IReadOnlyList<string> Requires { get; init; } = [];

    /// <summary>A call that looks.</summary>
    public static QbitRoute Read(string path, Func<QbitCall, CancellationToken, ValueTask<QbitReply>> run, params string[] requires) =>
        new(path, ApiRights.Read, run) { Requires = requires };

    /// <summary>A call that changes something.</summary>
    public static QbitRoute Change(string path, Func<QbitCall, CancellationToken, ValueTask<QbitReply>> run, params string[] requires) =>
        new(path, ApiRights.Change, run) { IsCommand = true, Requires = requires };
}
