using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Moving;

/// <summary>A library of another program, the configuration folder it is moved to, and news servers that have its posts.</summary>
internal sealed class MoveFixture : IAsyncDisposable
{
    public const string Key = "0123456789abcdef";

    private readonly NewsServers _news = new();
    private readonly Folder _folder = new();
    private readonly Folder _old = new();

    public void Deconstruct(out NewsServers news, out Folder folder, out Folder old) => (news, folder, old) = (_news, _folder, _old);

    /// <summary>The environment of a server with the API key <see cref="Key"/>.</summary>
    public Dictionary<string, string> WithKey() =>
        new(ServerProcess.Environment(_news), StringComparer.Ordinal) { ["NzbDav__Api__Key"] = Key };

    /// <summary>Moves the library and asserts the exit code.</summary>
    /// <param name="product">The other program.</param>
    /// <param name="expected">The exit code.</param>
    /// <param name="more">Further arguments.</param>
    /// <returns>The output of the command.</returns>
    public async Task<IReadOnlyList<string>> RunAsync(string product, int expected = 0, params string[] more)
    {
        var (exit, output, errors) = await ServerHere.RunAsync(
            _news.Environment, ["migrate", "--config", _folder.Path, "--from", product, _old.Path, .. more]);
        Assert.True(exit == expected, string.Join('\n', [.. output, .. errors]));
        return output;
    }

    public async ValueTask DisposeAsync()
    {
        _old.Dispose();
        _folder.Dispose();
        await _news.DisposeAsync();
    }
}
