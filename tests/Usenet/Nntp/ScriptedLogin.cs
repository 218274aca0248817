using System.Security.Cryptography.X509Certificates;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

/// <summary>Logins at a server that follows a script.</summary>
internal static class ScriptedLogin
{
    public static readonly ProviderOptions NoLogin = new() { Host = "127.0.0.1", UseTls = false };
    public static readonly ProviderOptions Login = NoLogin with { Username = "me", Password = "secret" };

    public static async Task<NntpConnectResult> OpenAsync(
        Func<ScriptedPeer, Task> script, ProviderOptions options, bool othersOpen = false, X509Certificate2? certificate = null,
        bool anyAddress = false)
    {
        await using var server = new ScriptedServer(script, certificate, anyAddress);
        var result = await NntpHandshake.OpenAsync(
            options with { Port = server.Port }, () => othersOpen, TimeProvider.System, CancellationToken.None);
        Assert.Equal(result.Failure == NntpConnectFailure.None, result.Stream is not null);
        if (result.Stream is not null)
            await result.Stream.DisposeAsync();
        return result;
    }
}
