using NzbDav.Usenet;

namespace NzbDav.Host.Serving;

/// <summary>Opens the providers' connections when the process starts.</summary>
internal sealed class UsenetService(UsenetClient client) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        client.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
