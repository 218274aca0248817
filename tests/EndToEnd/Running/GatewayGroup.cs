using System.Globalization;
using NzbDav.Fakes;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>Gateways, each a process of its own, with one new catalog in PostgreSQL. Each keeps its port and its folder when it is started
/// again. Disposal kills them and drops the catalog.</summary>
internal sealed class GatewayGroup : IAsyncDisposable
{
    /// <summary>The key that reads what each gateway tells of itself.</summary>
    public const string Key = "the-read-key-of-them";

    private readonly NewsServers _news;
    private readonly Folder[] _folders;
    private readonly ServerProcess?[] _gateways;
    private readonly int? _connections;

    /// <param name="news">Where articles come from.</param>
    /// <param name="count">How many gateways there can be; none is started.</param>
    /// <param name="connections">Connections of the first account; null: the setting of <see cref="NewsServers"/>.</param>
    public GatewayGroup(NewsServers news, int count, int? connections = null)
    {
        (_news, _connections) = (news, connections);
        _folders = [.. Enumerable.Range(0, count).Select(static _ => new Folder())];
        _gateways = new ServerProcess?[count];
        Ports = [.. Enumerable.Range(0, count).Select(static _ => LoopbackPort.Free())];
    }

    /// <summary>Where each gateway listens.</summary>
    public IReadOnlyList<int> Ports { get; }

    /// <summary>The connection string of the catalog.</summary>
    public string Database { get; } = PostgresServer.Shared.NewDatabase();

    /// <summary>The running gateway of a number.</summary>
    public ServerProcess this[int number] => _gateways[number]!;

    /// <summary>Starts a gateway and waits until it answers.</summary>
    public async Task StartAsync(int number)
    {
        var environment = ServerProcess.Environment(_news);
        if (_connections is { } connections)
            environment["NzbDav__Usenet__Providers__0__MaxConnections"] = connections.ToString(CultureInfo.InvariantCulture);
        environment["NzbDav__Catalog__Connection"] = Database;
        environment["NzbDav__Torrents__Enabled"] = "false";
        environment["NzbDav__Api__ReadKey"] = Key;
        _gateways[number] = ServerProcess.Start(
            environment, "--config", _folders[number].Path, "--urls", $"http://127.0.0.1:{Ports[number]}");
        using var client = await _gateways[number]!.ClientAsync();
    }

    /// <summary>Kills a gateway.</summary>
    public async Task KillAsync(int number)
    {
        await _gateways[number]!.KillAsync();
        await ForgetAsync(number);
    }

    /// <summary>Tells a gateway to stop, and waits until it has.</summary>
    public async Task StopAsync(int number)
    {
        _gateways[number]!.Terminate();
        Assert.Equal(0, await _gateways[number]!.ExitAsync());
        await ForgetAsync(number);
    }

    /// <summary>Asserts that so many jobs are completed, each under its own name, and that there are no others.</summary>
    public void AssertEachJobOnce(int jobs) =>
        Assert.Equal($"completed|{jobs}|{jobs}",
            PostgresServer.Shared.Sql("SELECT state, COUNT(*), COUNT(DISTINCT name) FROM jobs GROUP BY state", Database).Trim());

    public async ValueTask DisposeAsync()
    {
        for (var i = 0; i < _gateways.Length; i++)
            await ForgetAsync(i);
        foreach (var folder in _folders)
            folder.Dispose();
        PostgresServer.Shared.Drop(Database);
    }

    private async Task ForgetAsync(int number)
    {
        if (_gateways[number] is { } gateway)
            await gateway.DisposeAsync();
        _gateways[number] = null;
    }
}
