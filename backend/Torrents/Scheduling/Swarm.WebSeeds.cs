using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Web seeds (BEP 19).</summary>
internal sealed partial class Swarm
{
    /// <summary>The web seeds. Under the gate.</summary>
    public SwarmWebSeeds WebSeeds { get; }

    /// <inheritdoc/>
    public string? WebSeedTrouble => WebSeeds.Trouble;

    /// <inheritdoc/>
    public IReadOnlyList<WebSeedStatus> ListWebSeeds() => WebSeeds.List();

    /// <summary>Adds web seeds, and asks them if there is room.</summary>
    /// <param name="addresses">HTTP and HTTPS servers.</param>
    /// <param name="isFromLink">A magnet link names them.</param>
    public void AddWebSeeds(IReadOnlyList<Uri> addresses, bool isFromLink)
    {
        if (addresses.Count == 0)
            return;
        lock (Gate)
            WebSeeds.Add(addresses, isFromLink);
        StartWebSeeds();
    }

    /// <summary>Replaces all web seeds by those that the user named. Those that stay go on; requests to those that go end.</summary>
    public void UseWebSeeds(IReadOnlyList<Uri> addresses)
    {
        lock (Gate)
            WebSeeds.Use(addresses);
        StartWebSeeds();
    }

    /// <summary>Lets web seeds join that are due. Outside the gate.</summary>
    private void StartWebSeeds()
    {
        IReadOnlyList<Peer> joined;
        lock (Gate)
            joined = WebSeeds.Join(Now);
        foreach (var peer in joined)
            Start(peer, default);
    }
}
