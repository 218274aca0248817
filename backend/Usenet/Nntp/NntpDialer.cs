using System.Net.Sockets;
using NzbDav.Content.Dialling;
using NzbDav.Content.Proxies;
using NzbDav.Usenet.Accounts;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Opens the TCP connection to an account's server, directly or through the account's proxy. With a proxy only the proxy's own name is
/// resolved here.
/// </summary>
internal static class NntpDialer
{
    /// <param name="account">The account.</param>
    /// <param name="dialler">Connects to the server, or to the proxy.</param>
    /// <param name="cancellationToken">Fires when the connection is no longer needed.</param>
    /// <returns>A connected socket, owned by the caller.</returns>
    /// <exception cref="SocketException">Without a proxy: the host cannot be reached, or its name cannot be resolved.</exception>
    /// <exception cref="ProxyException">The proxy cannot be reached, or does not connect to the host.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public static async Task<Socket> DialAsync(ProviderOptions account, Dialler dialler, CancellationToken cancellationToken)
    {
        var socket = account.Proxy is { } proxy
            ? await ReachAsync(dialler, proxy, cancellationToken)
            : await dialler.ConnectAsync(account.Host, account.Port, cancellationToken);
        try
        {
            socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
            if (account.Proxy is not null)
                await ProxyClient.ConnectAsync(socket, account.Proxy, account.Host, account.Port, cancellationToken);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static async Task<Socket> ReachAsync(Dialler dialler, ProxyAddress proxy, CancellationToken cancellationToken)
    {
        try
        {
            return await dialler.ConnectAsync(proxy.Host, proxy.Port, cancellationToken);
        }
        catch (SocketException error)
        {
            throw new ProxyException(ProxyFault.Protocol, error.SocketErrorCode switch
            {
                SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain =>
                    $"The name of the proxy {proxy} cannot be resolved: check its spelling and the DNS.",
                SocketError.ConnectionRefused =>
                    $"The proxy {proxy} cannot be reached: nothing listens there. Check that it runs, and its port.",
                _ => $"The proxy {proxy} cannot be reached: {error.Message.TrimEnd('.')}. Check that it runs, and its host and port.",
            }, error);
        }
    }
}
