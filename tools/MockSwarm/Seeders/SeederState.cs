using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Pacing;

namespace NzbDav.MockSwarm.Seeders;

/// <summary>State shared by the connections of a seeder. Thread-safe.</summary>
/// <param name="Torrent">The torrent that it serves.</param>
/// <param name="Options">Its behaviour.</param>
/// <param name="Counters">Its counters.</param>
/// <param name="Line">The line that all its connections share.</param>
/// <param name="PeerId">20 bytes.</param>
internal sealed record SeederState(MockTorrent Torrent, SeederOptions Options, SeederCounters Counters, Line Line, byte[] PeerId)
{
    /// <summary>The info-hash of its handshake.</summary>
    public ReadOnlyMemory<byte> Name { get; } = Options.ByAlias ? Torrent.Alias : Torrent.Hash;

    /// <summary>The round trip in ticks.</summary>
    public long RoundTrip => Options.RoundTrip.Ticks;
}
